import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import * as React from 'react'
import { afterEach, expect, test } from 'vitest'
import { PetstoreProvider, useCreateCategory, useErrorText } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { OwnCache, optionsFor } from '../renderOnService.tsx'

afterEach(cleanup)

/** The recipe of `docs/hooks.md`, "Use it in a form action". */
function NewCategory() {
  const { trigger } = useCreateCategory()
  const errorText = useErrorText()
  const [last, create, isPending] = React.useActionState(
    async (_: { name: string; error?: Error | undefined }, form: FormData) => {
      const given = form.get('name')
      const name = typeof given === 'string' ? given : ''
      const { error } = await trigger({ name })
      return error ? { name, error } : { name: '' }
    },
    { name: '' },
  )
  return (
    <form action={create} onSubmit={(event) => isPending && event.preventDefault()}>
      <input name="name" aria-label="Name" required defaultValue={last.name} />
      <button type="submit" aria-disabled={isPending}>
        Create
      </button>
      {last.error && <p role="alert">{errorText(last.error).title}</p>}
    </form>
  )
}

/** Returns what `trigger` resolves with, and shows its error or nothing of it. */
function AddRabbit({ isShown }: { readonly isShown: boolean }) {
  const { trigger } = useCreateCategory()
  const [last, create] = React.useActionState(async () => trigger({ name: 'Rabbit' }), undefined)
  return (
    <form action={create}>
      <button type="submit">Create</button>
      {isShown && <p role="alert">{last?.error?.message}</p>}
    </form>
  )
}

test.skipIf(!('useActionState' in React)).each([true, false])(
  'a failure of an action is handled where its error is read: %s',
  async (isShown) => {
    const service = createPetstoreService()
    service.failNext({ status: 400 })
    const reports: boolean[] = []
    render(
      <OwnCache>
        <PetstoreProvider {...optionsFor(service)} onError={(_, { handled }) => void reports.push(handled)}>
          <AddRabbit isShown={isShown} />
        </PetstoreProvider>
      </OwnCache>,
    )
    fireEvent.click(screen.getByText('Create'))
    await waitFor(() => expect(reports).toEqual([isShown]))
  },
)

// React 18 has no form actions.
test.skipIf(!('useActionState' in React))(
  'the form action of the guide keeps the text through each failure',
  async () => {
    const service = createPetstoreService({ categories: [] })
    render(
      <OwnCache>
        <PetstoreProvider {...optionsFor(service)}>
          <NewCategory />
        </PetstoreProvider>
      </OwnCache>,
    )
    const name = screen.getByLabelText<HTMLInputElement>('Name')
    for (const text of ['Rabbit', 'Hare']) {
      service.failNext({ status: 400 })
      fireEvent.change(name, { target: { value: text } })
      fireEvent.click(screen.getByText('Create'))
      await waitFor(() => expect(name.defaultValue).toBe(text))
      expect(screen.getByRole('alert').textContent).not.toBe('')
      expect(name.value).toBe(text)
    }
    fireEvent.click(screen.getByText('Create'))
    await waitFor(() => expect(name.value).toBe(''))
  },
)
