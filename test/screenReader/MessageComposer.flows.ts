import { describeFlows } from './describeFlows.ts'

describeFlows('MessageComposer', [
  {
    name: 'Rejected texts',
    scene: 'composer',
    async steps({ step, press, type }) {
      await step('Tab', () => press('Tab'))
      await step('Ctrl+Enter in the empty field', () => press('ctrl+Return'))
      await step('Ctrl+Enter again', () => press('ctrl+Return'))
      await step('Type 25 characters', () => type('Feed the rabbits and cats'))
      await step('Ctrl+Enter', () => press('ctrl+Return'))
      await step('Type “x”', () => type('x'))
    },
  },
  {
    name: 'Sent',
    scene: 'composer',
    async steps({ step, press, type }) {
      await step('Tab', () => press('Tab'))
      await step('Type “Feed the rabbits”', () => type('Feed the rabbits'))
      await step('Ctrl+Enter', () => press('ctrl+Return'))
      await step('Type “And the cats”', () => type('And the cats'))
      await step('Tab', () => press('Tab'))
      await step('Enter', () => press('Return'))
    },
  },
  {
    name: 'Failed',
    scene: 'composer',
    async steps({ step, press, type, hold, respond, service, pressTimes }) {
      await step('Tab', () => press('Tab'))
      await step('Type “Feed the rabbits”', () => type('Feed the rabbits'))
      await step('Ctrl+Enter, and the service rejects the API key', () => {
        service.failNext({ status: 401 })
        press('ctrl+Return')
      })
      await step('Tab to the message', () => pressTimes('Tab', 2))
      await step('Enter, and the service does not respond at once', () => {
        hold()
        press('Return')
      })
      await step('The response arrives', respond)
    },
  },
  {
    name: 'Edited',
    scene: 'composer',
    async steps({ step, press, type, service, pressTimes }) {
      await step('Tab', () => press('Tab'))
      await step('Type “Feed the rabbits”', () => type('Feed the rabbits'))
      await step('Ctrl+Enter, and the service refuses', () => {
        service.failNext({ status: 400, body: '{"code":"invalid","message":"This is not possible.","status":400}' }, 2)
        press('ctrl+Return')
      })
      await step('Tab to “Edit”', () => pressTimes('Tab', 2))
      await step('Enter', () => press('Return'))
      await step('Ctrl+Enter', () => press('ctrl+Return'))
    },
  },
  {
    name: 'Request limit',
    scene: 'composer',
    async steps({ step, press, type, hold, respond, service, pressTimes }) {
      await step('Tab', () => press('Tab'))
      await step('Type “Feed the rabbits”', () => type('Feed the rabbits'))
      await step('Ctrl+Enter, and the service wants a pause of 12 seconds', () => {
        service.failNext({ status: 429, headers: { 'Retry-After': '12' } })
        press('ctrl+Return')
      })
      await step('Tab to the message', () => pressTimes('Tab', 2))
      hold()
      await step('The wait is over', () => undefined, { within: 20_000 })
      await step('The response arrives', respond)
    },
  },
  {
    name: 'Response lost',
    scene: 'composer',
    async steps({ step, press, type, hold, respond, service, pressTimes }) {
      await step('Tab', () => press('Tab'))
      await step('Type “Feed the rabbits”', () => type('Feed the rabbits'))
      await step('Ctrl+Enter, and the connection is lost', () => {
        service.failNext({ connection: 'lost-after' })
        press('ctrl+Return')
      })
      await step('Tab to the message', () => pressTimes('Tab', 2))
      await step('Enter, and the service does not respond at once', () => {
        hold()
        press('Return')
      })
      await step('The response arrives', respond)
    },
  },
])
