import type { ReactElement } from 'react'
import type { ToolbarGlobals } from '../../../.storybook/toolbar.ts'
import { close, checkCircle, Icon } from '../../../src/components/Icon.tsx'
import { StillScene } from './Anatomy.tsx'
import { adviceViews } from './sceneViews.tsx'
import './Advice.css'

interface AdviceProps {
  readonly component: string
  /** The page of the component, which has a caption for each picture. */
  readonly text: string
  readonly globals: ToolbarGlobals
}

/** A picture of what to do with a component, and one of what not to do, side by side. */
export function Advice({ component, text, globals }: AdviceProps): ReactElement {
  const captions = text.matchAll(/<!-- story: (do|don't): (.+) -->/g)
  return (
    <div className="advice sb-unstyled" data-component={component}>
      {Array.from(captions, ([, kind = '', caption]) => {
        const view = adviceViews[`${component}/${kind}`]
        if (!view) throw new Error(`There is no picture of ${component}: ${kind}.`)
        const isDo = kind === 'do'
        return (
          <figure key={kind} data-kind={isDo ? 'do' : 'dont'}>
            <div className="advice-picture">
              <StillScene view={view} globals={globals} />
            </div>
            <figcaption>
              <strong>
                <Icon path={isDo ? checkCircle : close} /> {isDo ? 'Do' : 'Don’t'}
              </strong>
              {caption}
            </figcaption>
          </figure>
        )
      })}
    </div>
  )
}
