import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { languageOf } from '../../../.storybook/StoryFrame.tsx'
import { StoryService } from '../../../.storybook/StoryService.tsx'
import type { ToolbarGlobals } from '../../../.storybook/toolbar.ts'
import type { Scene } from './ComponentFacts.ts'
import { type SceneView, sceneViews } from './sceneViews.tsx'
import './Anatomy.css'

interface AnatomyProps {
  readonly component: string
  readonly scene: Scene
  /** The number of the first part. */
  readonly start: number
  readonly globals: ToolbarGlobals
  /** What each part is, in the same order. */
  readonly texts: readonly ReactNode[]
}

/** The component itself, with a number at each part, and a legend. Nobody can use it: the stories are for that. */
export function Anatomy({ component, scene, start, globals, texts }: AnatomyProps): ReactElement {
  const { title, parts } = scene
  const view = sceneViews[`${component}/${title}`]
  if (!view) throw new Error(`There is no picture ${component}/${title}.`)
  const legendId = useId()
  const [highlighted, setHighlighted] = useState<string>()
  return (
    <figure className="anatomy" aria-labelledby={legendId}>
      <Picture {...{ view, parts, start, globals, highlighted }} />
      <figcaption id={legendId}>
        <ol start={start} className="anatomy-legend">
          {parts.map((part, index) => (
            <li key={part} onPointerEnter={() => setHighlighted(part)} onPointerLeave={() => setHighlighted(undefined)}>
              <code>{part}</code> {texts[index]}
            </li>
          ))}
        </ol>
      </figcaption>
    </figure>
  )
}

interface PictureProps {
  readonly view: SceneView
  readonly parts: readonly string[]
  readonly start: number
  readonly globals: ToolbarGlobals
  readonly highlighted: string | undefined
}

function Picture({ view, parts, start, globals, highlighted }: PictureProps): ReactElement {
  const pictureRef = useRef<HTMLDivElement>(null)
  const classes = useMemo(() => Object.fromEntries(parts.map((part) => [part, classOf(part)])), [parts])
  const boxes = usePartBoxes(pictureRef, parts)
  // For good: a part may leave the picture later.
  const [isSettled, setSettled] = useState(false)
  if (!isSettled && boxes.size === parts.length) setSettled(true)

  return (
    <div className="anatomy-picture sb-unstyled" data-settled={isSettled || undefined}>
      <div className="anatomy-stage">
        <StillScene view={view} classes={classes} globals={globals} pictureRef={pictureRef} />
        {[...boxes].map(([part, { marker, ...box }]) => (
          <div key={part} aria-hidden="true">
            {part === highlighted && <span className="anatomy-box" style={box} />}
            <span className="anatomy-marker" data-part={part} style={marker}>
              {start + parts.indexOf(part)}
            </span>
          </div>
        ))}
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

interface Point {
  readonly left: number
  readonly top: number
}

interface Box extends Point {
  readonly width: number
  readonly height: number
  /** The center of its marker. */
  readonly marker: Point
}

/** Where each part is in the picture, in px, and a place for its marker. The first of several equal parts counts. */
function usePartBoxes(
  pictureRef: { readonly current: HTMLElement | null },
  parts: readonly string[],
): ReadonlyMap<string, Box> {
  const [boxes, setBoxes] = useState<ReadonlyMap<string, Box>>(new Map())
  useLayoutEffect(() => {
    const picture = pictureRef.current
    if (!picture) return undefined
    const measure = () => setBoxes((previous) => keepEqual(previous, measureParts(picture, parts)))
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
  return boxes
}

function measureParts(picture: HTMLElement, parts: readonly string[]): ReadonlyMap<string, Box> {
  const origin = picture.getBoundingClientRect()
  const boxes = new Map<string, Box>()
  for (const part of parts) {
    const element = picture.querySelector(`.${classOf(part)}`)
    if (!element) continue
    const { left: pageLeft, top: pageTop, width, height } = element.getBoundingClientRect()
    const [left, top] = [pageLeft - origin.left, pageTop - origin.top]
    const taken = [...boxes.values()].map(({ marker }) => marker)
    const places = placesAround(left, top, width, height)
    const marker = places.find((place) => taken.every((other) => areApart(place, other))) ?? { left, top }
    boxes.set(part, { left, top, width, height, marker })
  }
  return boxes
}

/** The size of a marker, in px. */
const markerSize = 22
/** From the edge of a part to the center of its marker, in px. */
const distance = markerSize / 2 + 2

/** Beside the part, where its marker hides nothing, else at a corner. */
function placesAround(left: number, top: number, width: number, height: number): readonly Point[] {
  const beside = [left - distance, left + width + distance]
  const above = { left: left + width / 2, top: top - distance }
  return [
    ...(width < 5 * markerSize ? [above] : []),
    ...beside.map((x) => ({ left: x, top: top + height / 2 })),
    ...beside.flatMap((x) => [top, top + height].map((y) => ({ left: x, top: y }))),
    above,
    { left: left + width / 2, top: top + height + distance },
  ]
}

const areApart = (one: Point, other: Point) =>
  Math.abs(one.left - other.left) >= markerSize || Math.abs(one.top - other.top) >= markerSize

/** The previous boxes if nothing has moved, so that nothing renders again. */
function keepEqual(previous: ReadonlyMap<string, Box>, next: ReadonlyMap<string, Box>): ReadonlyMap<string, Box> {
  return JSON.stringify([...previous]) === JSON.stringify([...next]) ? previous : next
}
