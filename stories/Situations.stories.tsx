import preview from '../.storybook/preview.tsx'
import { checkSituations } from './situations/checkSituations.ts'
import { SituationTable } from './situations/SituationTable.tsx'

const meta = preview.meta({
  title: 'Demos/Situations',
  id: 'situations',
  tags: ['!autodocs'], // one page of many services is enough
  render: (_, { globals }) => <SituationTable globals={globals} />,
  play: checkSituations,
})

/** What people see in each situation: one color, one icon and one sentence, in whichever component it happens. */
export const English = meta.story({ globals: { locale: 'en' } })

/** As English, and each component has stories of its own: other words need no second look at contrast and markup. */
const withoutAxe = { a11y: { test: 'off' } } as const

export const German = meta.story({ globals: { locale: 'de' }, parameters: withoutAxe })

export const Japanese = meta.story({ globals: { locale: 'ja' }, parameters: withoutAxe })

export const Arabic = meta.story({ globals: { locale: 'ar' } })
