import preview from '../.storybook/preview.tsx'
import { checkSituations } from './situations/checkSituations.ts'
import { SituationTable } from './situations/SituationTable.tsx'

const meta = preview.meta({
  title: 'Design/Situations and icons',
  id: 'situations',
  tags: ['!autodocs'], // one page of many services is enough
  // Axe looks at each of these states in the stories of its component; at all of them at once, it takes minutes.
  parameters: { a11y: { test: 'off' } },
  render: (_, { globals }) => <SituationTable globals={globals} />,
  play: checkSituations,
})

/** What people see in each situation: one color, one icon and one sentence, in whichever component it happens. */
export const English = meta.story({ globals: { locale: 'en' } })

export const German = meta.story({ globals: { locale: 'de' }, tags: ['deep'] })

export const Japanese = meta.story({ globals: { locale: 'ja' }, tags: ['deep'] })

export const Arabic = meta.story({ globals: { locale: 'ar' } })
