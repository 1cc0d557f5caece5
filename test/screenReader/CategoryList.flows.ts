import { setTimeout as pause } from 'node:timers/promises'
import { describeFlows } from './describeFlows.ts'

describeFlows('CategoryList', [
  {
    name: 'Slow load',
    scene: 'list',
    async steps({ step, silentStep, press, hold, respond }) {
      await silentStep(
        'Load the page again, whose list does not arrive',
        async () => {
          hold()
          press('alt+Home')
          await pause(4_000) // the list announces the end of a load that takes three seconds
        },
        'nothing of the page has the focus',
      )
      await step('The list arrives', respond)
    },
  },
  {
    name: 'Request limit at the first load',
    scene: 'list',
    async steps({ step, press, service }) {
      await step('Load the page again', () => {
        service.failNext({ status: 429, headers: { 'Retry-After': '8' } })
        press('alt+Home')
      })
      await step('The wait is over', () => undefined, { within: 15_000 })
    },
  },
  {
    name: 'Filter',
    scene: 'list',
    async steps({ step, press, type }) {
      await step('Tab', () => press('Tab'))
      await step('Type “rab”', () => type('rab'))
      await step('Type “x”', () => type('x'))
      await step('Tab', () => press('Tab'))
      await step('Enter', () => press('Return'))
      await step('Type “d”', () => type('d'))
    },
  },
  {
    name: 'Selection',
    scene: 'list',
    async steps({ step, press, pressTimes }) {
      await step('Tab to “Select all”', () => pressTimes('Tab', 3))
      await step('Enter', () => press('Return'))
      await step('Shift+Tab', () => press('shift+Tab'))
      await step('Enter', () => press('Return'))
      await step('Tab', () => press('Tab'))
      await step('Space', () => press('space'))
      await step('Tab twice', () => pressTimes('Tab', 2))
      await step('Shift+Space', () => press('shift+space'))
    },
  },
  {
    name: 'Show more',
    scene: 'plainList',
    service: () => ({ categories: 450 }),
    async steps({ step, press }) {
      await step('Tab', () => press('Tab'))
      await step('Tab', () => press('Tab'))
      await step('Tab', () => press('Tab'))
      await step('Enter', () => press('Return'))
      await step('Tab', () => press('Tab'))
      await step('Enter', () => press('Return'))
    },
  },
  {
    name: 'Refresh',
    scene: 'plainList',
    async steps({ step, silentStep, press, service, hold, respond }) {
      await step('Tab', () => press('Tab'))
      await step('Tab', () => press('Tab'))
      await step('Enter', () => press('Return'))
      await step('Enter', () => press('Return'))
      await silentStep(
        'Enter, and the service does not respond at once',
        () => {
          hold()
          press('Return')
        },
        'the end is announced',
      )
      await step('The response arrives', respond)
      await step(
        'Enter, and the service fails',
        () => {
          service.failNext({ status: 500 }, 9)
          press('Return')
        },
        { within: 20_000 },
      )
    },
  },
  {
    name: 'In a dialog',
    scene: 'picker',
    async steps({ step, press, type }) {
      await step('Tab', () => press('Tab'))
      await step('Enter', () => press('Return'))
      await step('Tab', () => press('Tab'))
      await step('Type “rab”', () => type('rab'))
      await step('Tab', () => press('Tab'))
      await step('Escape', () => press('Escape'))
    },
  },
])
