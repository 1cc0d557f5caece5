import { render, screen, within } from '@testing-library/react'
import { CategoryForm, type CategoryFormProps, PetstoreProvider, type PetstoreProviderProps } from '../../src/index.ts'
import { createPetstoreService, type PetstoreService } from '../../src/testing.ts'
import { optionsFor, OwnCache } from '../renderOnService.tsx'
import { user } from './page.setup.ts'

/** Renders in StrictMode; `update` renders again, with other props of the form or the provider. */
export function renderForm(
  props: CategoryFormProps = {},
  provider: PetstoreProviderProps = optionsFor(createPetstoreService()),
) {
  const page = (nextProps: CategoryFormProps, nextProvider: PetstoreProviderProps) => (
    <PetstoreProvider {...nextProvider}>
      <CategoryForm {...nextProps} />
    </PetstoreProvider>
  )
  const { rerender } = render(page(props, provider), { wrapper: OwnCache })
  return {
    update: (nextProps: CategoryFormProps, nextProvider = provider) => rerender(page(nextProps, nextProvider)),
  }
}

export const form = () => screen.getByRole<HTMLFormElement>('form')
export const nameField = () => screen.getByLabelText<HTMLInputElement>('Name')
export const descriptionField = () => screen.getByLabelText<HTMLInputElement>('Description (optional)')
export const submitButton = () => screen.getByRole('button', { name: 'Create category' })
/** The submit button, when the submission has been under way for long enough that it says so. */
export const pendingButton = () => screen.findByRole('button', { name: /^(?:Creating|Waiting)…$/ })

export async function type(name: string, description = ''): Promise<void> {
  if (name) await insert(nameField(), name)
  if (description) await insert(descriptionField(), description)
}

async function insert(field: HTMLInputElement, text: string): Promise<void> {
  await user.click(field)
  await user.paste(text) // faster than key by key
}

/** Looks only inside the form, since the announcer may contain the same text. */
export const createdLine = (name: string) => within(form()).findByText(`Created “${name}”.`)

export const typed = () => [nameField().value, descriptionField().value]

/** How many categories the service has created. */
export const created = ({ requests }: PetstoreService) =>
  requests.filter(({ operation, applied }) => operation === 'createCategory' && applied).length

export const refusedAs = (code: string, message: string) => ({
  status: 400,
  body: JSON.stringify({ code, message, status: 400 }),
})
