import { AnchorMdx } from '@storybook/addon-docs/blocks'
import { type ReactElement, useContext } from 'react'
import { ToolbarContext } from '../../.storybook/ToolbarContext.ts'
import { StillScene } from './components/Anatomy.tsx'
import { adviceViews, sceneViews } from './components/sceneViews.tsx'
import './Gallery.css'

/** A picture of each component, and what it is for. */
const cards: readonly (readonly [scene: string, use: string])[] = [
  ['CategoryManager/The three components', 'List, form and badge in one.'],
  ['CategoryList/Rows', 'Shows categories, in every state.'],
  ['CategoryForm/Waiting for the request limit', 'Creates a category. Keeps what was typed.'],
  ['MessageComposer/do', 'Sends messages. Says what became of each.'],
  ['RateLimitBadge/Full', 'Tells how many requests are left.'],
  ['ErrorNotice/do', 'Explains an error, and what to do.'],
]

/** The components at a glance, each with a link to its page. */
export function Gallery(): ReactElement {
  const globals = useContext(ToolbarContext)
  return (
    <ul className="gallery sb-unstyled">
      {cards.map(([scene, use]) => {
        const [name = ''] = scene.split('/')
        const view = sceneViews[scene] ?? adviceViews[scene]
        return (
          <li key={[name, ...Object.values(globals)].join()}>
            <div className="gallery-picture">{view && <StillScene view={view} globals={globals} />}</div>
            <AnchorMdx target="_self" href={`?path=/docs/${name.toLowerCase()}--docs`}>
              {name}
            </AnchorMdx>
            <span>{use}</span>
          </li>
        )
      })}
    </ul>
  )
}
