import { describeFlows } from './describeFlows.ts'

describeFlows('ErrorNotice', [
  {
    name: 'Failure, retry',
    scene: 'plainList',
    async steps({ step, press, pressTimes, service }) {
      await step('Tab to “Refresh”', () => pressTimes('Tab', 2))
      await step(
        'Enter, and the service fails',
        () => {
          service.failNext({ status: 500 }, 99)
          press('Return')
        },
        { within: 20_000 },
      )
      await step('Tab', () => press('Tab'))
      await step('Enter', () => press('Return'))
      await step('Tab', () => press('Tab'))
      await step('Enter, and the service fails again', () => press('Return'), { within: 20_000 })
      await step('Enter, and the service recovers', () => {
        service.reset()
        press('Return')
      })
    },
  },
  {
    name: 'Connection lost',
    scene: 'plainList',
    async steps({ step, press, pressTimes, service }) {
      await step('Tab to “Refresh”', () => pressTimes('Tab', 2))
      await step(
        'Enter, and the connection is lost',
        () => {
          service.failNext({ connection: 'lost-before' }, 99)
          press('Return')
        },
        { within: 20_000 },
      )
    },
  },
  {
    name: 'Request limit reached',
    scene: 'plainList',
    async steps({ step, silentStep, press, service, pressTimes }) {
      await step('Load the page again, and the service wants a pause of 30 minutes', () => {
        service.failNext({ status: 429, headers: { 'Retry-After': '1800' } })
        press('alt+Home')
      })
      await step('Tab to “Refresh”', () => pressTimes('Tab', 2))
      await silentStep('Enter', () => press('Return'), 'the button has just said why it does nothing')
    },
  },
])
