import { describeFlows } from './describeFlows.ts'

describeFlows('CategoryManager', [
  {
    name: 'Created, but out of sight',
    scene: 'manager',
    async steps({ step, press, type, hold, respond, pressTimes }) {
      await step('Tab to the filter', () => pressTimes('Tab', 4))
      await step('Type “rab”', () => type('rab'))
      await step('Shift+Tab to the name', () => pressTimes('shift+Tab', 3))
      await type('Hamster')
      await step('Enter, and the service does not respond at once', () => {
        hold()
        press('Return')
      })
      await step('The response arrives', respond)
      await step('Tab to “Show”', () => pressTimes('Tab', 3))
      await step('Enter', () => press('Return'))
    },
  },
])
