import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { languageOf } from '../../../.storybook/StoryFrame.tsx'
import { StoryService } from '../../../.storybook/StoryService.tsx'
import type { ToolbarGlobals } from '../../../.storybook/toolbar.ts'
import { type SceneView, sceneViews } from './sceneViews.tsx'
import './Anatomy.css'

interface AnatomyProps {
  /** The name of a picture in `sceneViews`. */
  readonly scene: string
  /** The parts in the picture, each with its number in the list below the picture. */
  readonly parts: ReadonlyMap<string, number>
  readonly globals: ToolbarGlobals
}

/** The component itself, with a number at each part. Nobody can use it: the stories are for that. */
export function Anatomy({ scene, parts, globals }: AnatomyProps): ReactElement {
  const view = sceneViews[scene]
  if (!view) throw new Error(`There is no picture ${scene}.`)
  const pictureRef = useRef<HTMLDivElement>(null)
  const [classes] = useState(() => Object.fromEntries([...parts.keys()].map((part) => [part, classOf(part)])))
  const places = usePlaces(pictureRef, parts)
  return (
    <div className="anatomy">
      <div className="anatomy-picture sb-unstyled" data-settled={places.size === parts.size || undefined}>
        <div className="anatomy-stage">
          <StillScene view={view} classes={classes} globals={globals} pictureRef={pictureRef} />
          {[...places].map(([part, place]) => (
            <span key={part} className="anatomy-marker" data-part={part} style={place} aria-hidden="true">
              {parts.get(part)}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}

interface StillSceneProps {
  readonly view: SceneView
  readonly classes?: Readonly<Record<string, string>>
  readonly globals: ToolbarGlobals
  readonly pictureRef?: RefObject<HTMLDivElement | null>
}

/** A toolbar that leaves the picture in its state. */
const stillGlobals = { scenario: 'story', plan: 'story' } as const

/**
 * A component in a state. Neither the focus nor a screen reader can enter: texts around it say what it shows. What the
 * component announces stays in its dialog, so that the page is silent when it opens.
 */
export function StillScene({ view, classes = {}, globals, pictureRef }: StillSceneProps): ReactElement {
  const { render, service = {}, act } = view
  const ownRef = useRef<HTMLDivElement>(null)
  const sceneRef = pictureRef ?? ownRef

  useEffect(() => {
    if (sceneRef.current) act?.(sceneRef.current)
  }, [act, sceneRef])

  return (
    // A dialog element has styles and a place of its own.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div ref={sceneRef} className="still-scene" inert role="dialog" {...languageOf(globals)}>
      <StoryService parameters={service} globals={{ ...globals, ...stillGlobals }}>
        {render(classes)}
      </StoryService>
    </div>
  )
}

const classOf = (part: string) => `anatomy-part-${part}`

/** The center of a marker in the picture, in px. */
interface Place {
  readonly left: number
  readonly top: number
}

/** A place for the marker of each part. The first of several equal parts counts. */
function usePlaces(
  pictureRef: RefObject<HTMLElement | null>,
  parts: ReadonlyMap<string, number>,
): ReadonlyMap<string, Place> {
  const [places, setPlaces] = useState<ReadonlyMap<string, Place>>(new Map())
  useLayoutEffect(() => {
    const picture = pictureRef.current
    if (!picture) return undefined
    // The previous places if nothing has moved, so that nothing renders again.
    const measure = () =>
      setPlaces((previous) => {
        const next = measureParts(picture, parts.keys())
        return JSON.stringify([...previous]) === JSON.stringify([...next]) ? previous : next
      })
    const resized = new ResizeObserver(measure)
    const changed = new MutationObserver(measure)
    resized.observe(picture)
    changed.observe(picture, { subtree: true, childList: true, attributes: true, characterData: true })
    measure()
    return () => {
      resized.disconnect()
      changed.disconnect()
    }
  }, [pictureRef, parts])
  return places
}

/** The size of a marker, in px. */
const markerSize = 22

/** Beside each part, where its marker hides nothing, else at a corner where no other marker is. */
function measureParts(picture: HTMLElement, parts: Iterable<string>): ReadonlyMap<string, Place> {
  const origin = picture.getBoundingClientRect()
  const places = new Map<string, Place>()
  const isFree = ({ left, top }: Place) =>
    [...places.values()].every(
      (other) => Math.abs(left - other.left) >= markerSize || Math.abs(top - other.top) >= markerSize,
    )
  for (const part of parts) {
    const element = picture.querySelector(`.${classOf(part)}`)
    if (!element) continue
    const box = element.getBoundingClientRect()
    const distance = markerSize / 2 + 2
    const [left, top] = [box.left - origin.left, box.top - origin.top]
    const beside = [left - distance, left + box.width + distance]
    const candidates = [top + box.height / 2, top, top + box.height].flatMap((y) =>
      beside.map((x) => ({ left: x, top: y })),
    )
    const above = { left: left + box.width / 2, top: top - distance }
    const inOrder = box.width < 5 * markerSize ? [above, ...candidates] : [...candidates, above]
    places.set(part, inOrder.find(isFree) ?? { left, top })
  }
  return places
}
