import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import * as React from 'react'
import { afterEach, expect, test } from 'vitest'
import { PetstoreProvider, useCreateCategory } from '../../src/index.ts'
import { createPetstoreService } from '../../src/testing.ts'
import { OwnCache, optionsFor } from '../renderOnService.tsx'
import { componentOf, runProgram } from './runProgram.ts'

afterEach(cleanup)

/** A form whose action returns the result of `trigger`. Its error is read only if `isShown`. */
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
  'a failure of an action counts as handled only if its error is read: %s',
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
    const NewCategory = componentOf(await runProgram('docs/hooks.md', 'useActionState'), 'NewCategory')
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
