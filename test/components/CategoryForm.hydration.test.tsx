import { act } from '@testing-library/react'
import { type ReactElement, StrictMode } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { CategoryForm, type CategoryFormProps, PetstoreProvider } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { optionsFor } from '../renderOnService.tsx'
import { createdLine, nameField, descriptionField, form, submitButton, typed } from './CategoryForm.setup.tsx'
import { cleanPage, user } from './page.setup.ts'

cleanPage()

async function hydrate(app: ReactElement): Promise<Root> {
  const container = document.querySelector('main')
  if (!container) throw new Error('no page')
  const root = await act(async () => hydrateRoot(container, app))
  onTestFinished(() => act(async () => root.unmount()))
  return root
}

test.each<CategoryFormProps['defaultValues']>([undefined, { name: 'Cat', description: 'Purrs' }])(
  'T2 with the default values %o, what was typed before hydration stays, and is sent',
  async (defaultValues) => {
    const service = createPetstoreService()
    const options = optionsFor(service)
    const app = (title: string) => (
      <StrictMode>
        <PetstoreProvider {...options}>
          <CategoryForm title={title} defaultValues={defaultValues} />
        </PetstoreProvider>
      </StrictMode>
    )
    document.body.innerHTML = `<main>${renderToString(app('one'))}</main>`
    expect(typed()).toEqual([defaultValues?.name ?? '', defaultValues?.description ?? ''])
    nameField().value = 'Rabbit'
    descriptionField().value = ''
    nameField().focus()

    const root = await hydrate(app('one'))
    expect(typed()).toEqual(['Rabbit', ''])
    await act(async () => root.render(app('two')))
    expect(form().title).toBe('two')
    expect(typed()).toEqual(['Rabbit', ''])
    expect(document.activeElement).toBe(nameField())
    await user.click(submitButton())
    await createdLine('Rabbit')
    expect(service.categories().at(-1)).not.toHaveProperty('description')
    expect(typed()).toEqual([defaultValues?.name ?? '', defaultValues?.description ?? ''])
  },
)
