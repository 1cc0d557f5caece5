import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import '../../src/styles.css'
import { initialGlobals } from '../../.storybook/toolbar.ts'
import { allFacts } from '../../stories/docs/components/allFacts.ts'
import { Anatomy } from '../../stories/docs/components/Anatomy.tsx'
import { startOf } from '../../stories/docs/components/parts.ts'

afterEach(cleanup)

const pictures = Object.entries(allFacts).flatMap(([component, facts]) =>
  facts.scenes.map((scene) => ({ component, scene, start: startOf(scene, facts), title: scene.title })),
)

test.each(pictures)(
  '$component, $title: every part has its number in the picture',
  async ({ component, scene, start }) => {
    const texts = scene.parts.map((part) => `This is ${part}.`)
    const { container } = render(<Anatomy {...{ component, scene, start, texts }} globals={initialGlobals} />)
    const markers = () => [...container.querySelectorAll<HTMLElement>('.anatomy-marker')]

    const marked = () => new Set(markers().map(({ dataset }) => dataset['part']))
    await waitFor(() => expect(marked()).toEqual(new Set(scene.parts)))
    for (const marker of markers()) {
      const part = marker.dataset['part'] ?? ''
      expect(marker.textContent).toBe(String(start + scene.parts.indexOf(part)))
      const { width, height } = container.querySelector(`.anatomy-part-${part}`)?.getBoundingClientRect() ?? {}
      expect([width, height].every((length) => length !== undefined && length > 0)).toBe(true)
    }
    const places = markers().map(({ style }) => `${style.left} ${style.top}`)
    expect(new Set(places).size).toBe(places.length)

    // The legend counts as the markers do.
    const list = container.querySelector('ol')
    expect(list?.start).toBe(start)
    expect([...(list?.children ?? [])].map(({ textContent }) => textContent)).toEqual(
      scene.parts.map((part) => `${part} This is ${part}.`),
    )
    // A picture takes no focus from whoever reads the page.
    expect(document.activeElement).toBe(document.body)
  },
)
