import type { ReactElement } from 'react'
import type { ToolbarGlobals } from '../../../.storybook/toolbar.ts'
import { close, checkCircle, Icon } from '../../../src/components/Icon.tsx'
import { StillScene } from './Anatomy.tsx'
import { adviceViews } from './sceneViews.tsx'
import './Advice.css'

interface AdviceProps {
  readonly component: string
  readonly kind: 'do' | "don't"
  /** What the picture shows. */
  readonly caption: string
  readonly globals: ToolbarGlobals
}

/** A picture of what to do with a component, or of what not to do. Two of them stand side by side. */
export function Advice({ component, kind, caption, globals }: AdviceProps): ReactElement {
  const view = adviceViews[`${component}/${kind}`]
  if (!view) throw new Error(`There is no picture of ${component}: ${kind}.`)
  const isDo = kind === 'do'
  return (
    <figure className="advice sb-unstyled" data-component={component} data-kind={isDo ? 'do' : 'dont'}>
      <div className="advice-picture">
        <StillScene view={view} globals={globals} />
      </div>
      <figcaption>
        <Icon path={isDo ? checkCircle : close} /> <strong>{isDo ? 'Do' : 'Don’t'}</strong> {caption}
      </figcaption>
    </figure>
  )
}
