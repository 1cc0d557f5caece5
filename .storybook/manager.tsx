// By name, because Storybook builds this file with JSX as `React.createElement`.
import * as React from 'react'
import { Button, Form, PopoverProvider } from 'storybook/internal/components'
import { addons, types } from 'storybook/manager-api'
import { type LiveService, onMessage, sendMessage } from './liveService.ts'

/** What was chosen here; `undefined` until then, when the stories follow the environment variables. */
let choice: LiveService | null | undefined
let baseUrlInUse = ''
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function nowInUse(baseUrl: string): void {
  baseUrlInUse = baseUrl
  for (const listener of listeners) listener()
}

function stories(): Window | null | undefined {
  return document.querySelector<HTMLIFrameElement>('#storybook-preview-iframe')?.contentWindow
}

function tellStories(chosen: LiveService | null): void {
  const frame = stories()
  if (frame) sendMessage(frame, { type: 'petstore/choose-service', chosen })
}

onMessage(stories, (message) => {
  if (message.type !== 'petstore/stories-loaded') return
  if (choice === undefined) nowInUse(message.baseUrl ?? '')
  else tellStories(choice)
})

addons.register('petstore', () => {
  addons.add('petstore/service', {
    title: 'Petstore service',
    type: types.TOOL,
    match: ({ viewMode }) => viewMode === 'story',
    render: () => <ServiceTool />,
  })
})

function choose(chosen: LiveService | null): void {
  choice = chosen
  nowInUse(chosen?.baseUrl ?? '')
  tellStories(chosen)
}

/** Lets the first story talk to a service over HTTP. Base URL and key are kept in memory only. */
function ServiceTool(): React.ReactElement {
  const inUse = React.useSyncExternalStore(subscribe, () => baseUrlInUse)
  const [isOpen, setOpen] = React.useState(false)
  return (
    <PopoverProvider
      ariaLabel="Petstore service"
      padding={12}
      visible={isOpen}
      onVisibleChange={setOpen}
      popover={<ServiceForm onDone={() => setOpen(false)} />}
    >
      <Button variant="ghost" padding="small" ariaLabel={false}>
        Service: {inUse || 'in memory'}
      </Button>
    </PopoverProvider>
  )
}

function ServiceForm({ onDone }: { onDone: () => void }): React.ReactElement {
  function submit(event: React.FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => {
      const value = fields.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    choose({ baseUrl: text('baseUrl'), apiKey: text('apiKey') })
    onDone()
  }

  return (
    <form onSubmit={submit} autoComplete="off" style={{ display: 'grid', gap: 8, inlineSize: 300 }}>
      <label htmlFor="petstore-base-url">Base URL</label>
      <Form.Input
        id="petstore-base-url"
        name="baseUrl"
        defaultValue={baseUrlInUse}
        placeholder="https://host/v1"
        required
        pattern="(https?://|/).*/v1/?"
        title="An http or https address, or a path, that ends with /v1"
      />
      <label htmlFor="petstore-api-key">API key (kept in memory only)</label>
      <Form.Input id="petstore-api-key" name="apiKey" type="password" autoComplete="off" required />
      <Button type="submit" variant="solid" ariaLabel={false}>
        Use this service
      </Button>
      <Button
        type="button"
        ariaLabel={false}
        onClick={() => {
          choose(null)
          onDone()
        }}
      >
        Use in-memory service
      </Button>
    </form>
  )
}
