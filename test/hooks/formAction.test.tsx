import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import * as React from 'react'
import { expect, test } from 'vitest'
import { PetstoreProvider, useCreateCategory, useErrorText } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { OwnCache, optionsFor } from '../renderOnService.tsx'

/** The recipe of `docs/hooks.md`, "Use it in a form action". */
function NewCategory() {
  const { trigger } = useCreateCategory()
  const errorText = useErrorText()
  const [last, create, isPending] = React.useActionState(
    async (_: { name: string; error?: Error | undefined }, form: FormData) => {
      const text = form.get('name')
      const name = typeof text === 'string' ? text : ''
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
