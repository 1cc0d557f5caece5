// Storybook compiles JSX in this file to `React.createElement`, so it needs the name `React`.
import * as React from 'react'
import { Button, Form, PopoverProvider } from 'storybook/internal/components'
import { addons, types } from 'storybook/manager-api'
import { brandThemes } from './brand.ts'
import { createStore } from './createStore.ts'
import { type LiveService, onMessage, sendMessage } from './serviceMessages.ts'
import { systemScheme } from './systemScheme.ts'

const applyTheme = () => addons.setConfig({ theme: brandThemes[systemScheme.get()] })
applyTheme()
systemScheme.subscribe(applyTheme)

// The page of situations has no controls, and a table that needs the height of the panel.
addons.setConfig({
  layoutCustomisations: { showPanel: ({ storyId }, isShown) => isShown && !storyId.startsWith('situations--') },
})

// Storybook ends each page title with its own name, and says that the search finds components: it also finds guides,
// headings and exported names. No setting changes these texts.
const applyTexts = () => {
  const title = document.title.replace(/(?:^petstore-react - Docs ⋅ )?Storybook$/, 'petstore-react')
  if (title !== document.title) document.title = title
  const box = document.querySelector<HTMLInputElement>('#storybook-explorer-searchfield')
  if (box && box.placeholder !== 'Search') box.placeholder = 'Search'
}
const changes = { childList: true, subtree: true, characterData: true, attributeFilter: ['placeholder'] }
new MutationObserver(applyTexts).observe(document.documentElement, changes)
applyTexts()

/** The choice made in the toolbar. Until there is one (`undefined`), the stories follow the environment variables. */
let choice: LiveService | null | undefined
/** The base URL of the live service in use; `''` is the mock service. */
const liveBaseUrl = createStore('')

function getStoriesWindow(): Window | null | undefined {
  return document.querySelector<HTMLIFrameElement>('#storybook-preview-iframe')?.contentWindow
}

function sendChoice(chosen: LiveService | null): void {
  const frame = getStoriesWindow()
  if (frame) sendMessage(frame, { type: 'petstore/choose-service', chosen })
}

function choose(chosen: LiveService | null): void {
  choice = chosen
  liveBaseUrl.set(chosen?.baseUrl ?? '')
  sendChoice(chosen)
}

onMessage(getStoriesWindow, (message) => {
  if (message.type !== 'petstore/stories-loaded') return
  if (choice === undefined) liveBaseUrl.set(message.baseUrl ?? '')
  else sendChoice(choice)
})

addons.register('petstore', () => {
  addons.add('petstore/service', {
    title: 'Petstore service',
    type: types.TOOL,
    match: ({ viewMode }) => viewMode === 'story',
    render: () => <ServiceTool />,
  })
})

/** Connects the default stories to a service over HTTP. The base URL and the API key stay in memory. */
function ServiceTool(): React.ReactElement {
  const baseUrl = React.useSyncExternalStore(liveBaseUrl.subscribe, liveBaseUrl.get)
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
        Service: {baseUrl || 'mock'}
      </Button>
    </PopoverProvider>
  )
}

function ServiceForm({ onDone }: { readonly onDone: () => void }): React.ReactElement {
  function submit(event: React.FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    choose({ baseUrl: textOf(fields, 'baseUrl'), apiKey: textOf(fields, 'apiKey') })
    onDone()
  }

  return (
    <form onSubmit={submit} autoComplete="off" style={{ display: 'grid', gap: 8, inlineSize: 300 }}>
      <label htmlFor="petstore-base-url">Base URL</label>
      <Form.Input
        id="petstore-base-url"
        name="baseUrl"
        defaultValue={liveBaseUrl.get()}
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
        Use mock service
      </Button>
    </form>
  )
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}
