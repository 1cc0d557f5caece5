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

/** A picture of the component, with a number at each part: the component itself, but nobody can use it. */
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
          <svg className="anatomy-lines" aria-hidden="true">
            {[...places].map(([part, { left, top, x, y }]) => (
              <g key={part}>
                <line x1={left} y1={top} x2={x} y2={y} />
                <circle cx={x} cy={y} r={2.5} />
              </g>
            ))}
          </svg>
          {[...places].map(([part, { left, top }]) => (
            <span key={part} className="anatomy-marker" data-part={part} style={{ left, top }} aria-hidden="true">
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

/** The scenario and the plan of the toolbar do not apply to pictures, so that they stay in their state. */
const stillGlobals = { scenario: 'story', plan: 'story' } as const

/**
 * A component in a state. Neither the focus nor a screen reader can enter: texts around it say what it shows. It has the
 * role `dialog`, because the kit puts its live region into the nearest dialog: in an inert one it is silent.
 */
export function StillScene({ view, classes = {}, globals, pictureRef }: StillSceneProps): ReactElement {
  const { render, service = {}, act } = view
  const ownRef = useRef<HTMLDivElement>(null)
  const sceneRef = pictureRef ?? ownRef

  useEffect(() => {
    if (sceneRef.current) act?.(sceneRef.current)
  }, [act, sceneRef])

  return (
    // Not `<dialog>`, which has styles and a position of its own.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div ref={sceneRef} className="still-scene" inert role="dialog" {...languageOf(globals)}>
      <StoryService parameters={service} globals={{ ...globals, ...stillGlobals }}>
        {render(classes)}
      </StoryService>
    </div>
  )
}

const classOf = (part: string) => `anatomy-part-${part}`

/** The center of a marker in the margin of the picture, and the end of its line at the part, in px. */
interface Place {
  readonly left: number
  readonly top: number
  readonly x: number
  readonly y: number
}

/** Places for the markers, measured after each change. A part that occurs several times has one marker, at the first. */
function usePlaces(
  pictureRef: RefObject<HTMLElement | null>,
  parts: ReadonlyMap<string, number>,
): ReadonlyMap<string, Place> {
  const [places, setPlaces] = useState<ReadonlyMap<string, Place>>(new Map())
  useLayoutEffect(() => {
    const picture = pictureRef.current
    if (!picture) return undefined
    // Keeps the previous places if nothing has moved, so that nothing renders again.
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

/** The size of a marker, how far its center is from the picture, and its line from the part, in px. */
const [markerSize, margin, gap] = [22, 20, 4]

/** A part as it is seen: a line of text ends with its last word, and not where its element does. */
function boxOf(element: Element): DOMRect {
  const content = document.createRange()
  content.selectNodeContents(element.querySelector(':scope > summary') ?? element)
  const [seen, box] = [content.getBoundingClientRect(), element.getBoundingClientRect()]
  return (hasText(element) && !element.matches('button')) || element.matches('p, details') ? seen : box
}

const hasText = (element: Element) => [...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE)

/** Places each marker where its line is short and crosses no other line and no text (hidden text is 1 px wide). */
function measureParts(picture: HTMLElement, parts: Iterable<string>): ReadonlyMap<string, Place> {
  const origin = picture.getBoundingClientRect()
  const inPicture = ({ left, top, width, height }: DOMRect) =>
    new DOMRect(left - origin.left, top - origin.top, width, height)
  const found = Array.from(parts, (part) => ({ part, element: picture.querySelector(`.${classOf(part)}`) }))
    .flatMap(({ part, element }) => (element ? [{ part, element, box: inPicture(boxOf(element)) }] : []))
    // Small parts first: the marker of a large part can be at more places.
    .toSorted(({ box: one }, { box: other }) => one.width * one.height - other.width * other.height)
  const seen = [...picture.querySelectorAll('*')].flatMap((element) =>
    (hasText(element) || element.matches('svg, input, textarea, button')) && element.clientWidth !== 1
      ? [{ element, box: inPicture(boxOf(element)) }]
      : [],
  )
  const places = new Map<string, Place>()
  for (const { part, element, box } of found) {
    const others = seen.filter(({ element: other }) => !other.contains(element) && !element.contains(other))
    const obstacles = [...others.map((other) => other.box), ...[...places.values()].map(lineOf)]
    const costOf = (place: Place) => {
      const { left, top, x, y } = place
      const line = lineOf(place)
      const crossed = obstacles.filter((obstacle) => overlap(line, obstacle)).length
      const isTaken = [...places.values()].some((other) => Math.hypot(left - other.left, top - other.top) < markerSize)
      return Math.hypot(left - x, top - y) + crossed * 1_000 + (isTaken ? 1_000_000 : 0)
    }
    const [best] = candidates(box, origin)
      .map((place) => ({ place, cost: costOf(place) }))
      .toSorted((one, other) => one.cost - other.cost)
    if (best) places.set(part, best.place)
  }
  return places
}

/** Places around a part: 0, 4, -4, 8, … px from its middle. The lines of those beyond its edges are slanted. */
function candidates({ left, right, top, bottom }: DOMRect, { width, height }: DOMRect): readonly Place[] {
  const [centerX, centerY] = [(left + right) / 2, (top + bottom) / 2]
  return Array.from({ length: 61 }, (_, index) => (index % 2 ? 2 : -2) * (index + (index % 2))).flatMap((shift) => {
    const [markerX, markerY] = [centerX + shift, centerY + shift]
    const [x, y] = [Math.min(Math.max(markerX, left), right), Math.min(Math.max(markerY, top), bottom)]
    return [
      { left: -margin, top: markerY, x: left - gap, y },
      { left: width + margin, top: markerY, x: right + gap, y },
      { left: markerX, top: -margin, x, y: top - gap },
      { left: markerX, top: height + margin, x, y: bottom + gap },
    ]
  })
}

/** The box around the line of a marker. */
const lineOf = ({ left, top, x, y }: Place) =>
  new DOMRect(Math.min(left, x), Math.min(top, y), Math.abs(left - x), Math.abs(top - y))

const overlap = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
