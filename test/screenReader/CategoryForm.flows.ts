import { setTimeout as pause } from 'node:timers/promises'
import { describeFlows } from './describeFlows.ts'

const nameRefused = { status: 400, body: '{"code":"invalid_name","message":"The name is too long.","status":400}' }
const refused = { status: 400, body: '{"code":"invalid","message":"This is not possible.","status":400}' }

const repeats = 'Orca reads a description again that changes as the field gets the focus'

describeFlows('CategoryForm', [
  {
    name: 'Errors',
    scene: 'form',
    async steps({ step, press, type, service }) {
      await step('Tab', () => press('Tab'))
      await step('Enter in the empty name', () => press('Return'))
      await step('Enter again', () => press('Return'))
      await step('Tab', () => press('Tab'))
      await step('Tab', () => press('Tab'))
      await step('Enter on the button', () => press('Return'), { repeats })
      await type('Hamster')
      await step('Enter, and the service names the field', () => {
        service.failNext(nameRefused)
        press('Return')
      })
      await step('Enter, and the service names no field', () => {
        service.failNext(refused)
        press('Return')
      })
      await step('Tab', () => press('Tab'))
    },
  },
  {
    name: 'Created',
    scene: 'form',
    async steps({ step, press, type, hold, respond }) {
      await step('Tab', () => press('Tab'))
      await type('Hamster')
      await step('Enter, and the service does not respond at once', () => {
        hold()
        press('Return')
      })
      await step('The response arrives', respond)
    },
  },
  {
    name: 'Request limit',
    scene: 'form',
    async steps({ step, press, type, hold, respond, service, pressTimes }) {
      await step('Tab', () => press('Tab'))
      await type('Hamster')
      await step('Enter, and the service wants a pause of 12 seconds', () => {
        service.failNext({ status: 429, headers: { 'Retry-After': '12' } })
        press('Return')
      })
      await step('Tab to “Cancel”', () => pressTimes('Tab', 3))
      await step('Enter', () => press('Return'))
      service.reset()
      service.failNext({ status: 429, headers: { 'Retry-After': '8' } })
      await pause(10_000) // until the first cool-down is over
      await step('Enter, and the service wants a pause again', () => press('Return'))
      hold()
      await step('The wait is over', () => undefined, { within: 15_000 })
      await step('The response arrives', respond)
    },
  },
  {
    name: 'Response lost',
    scene: 'form',
    async steps({ step, press, type, service, pressTimes }) {
      await step('Tab', () => press('Tab'))
      await type('Hamster')
      await step('Enter, and the connection is lost', () => {
        service.failNext({ connection: 'lost-after' })
        press('Return')
      })
      await step('Enter again', () => press('Return'))
      await step('Tab to the button', () => pressTimes('Tab', 2))
    },
  },
  {
    name: 'In a dialog',
    scene: 'formInDialog',
    async steps({ step, press, type, hold, respond }) {
      await step('Tab', () => press('Tab'))
      await step('Enter', () => press('Return'))
      await step('Tab', () => press('Tab'))
      await step('Enter in the empty name', () => press('Return'))
      await type('Hamster')
      await step('Enter, and the service does not respond at once', () => {
        hold()
        press('Return')
      })
      await step('The response arrives', respond)
    },
  },
])
