import { expectTypeOf } from 'vitest'
import * as z from 'zod/mini'
import {
  type Category,
  defineOperation,
  int64,
  isPetstoreError,
  type Message,
  type NewCategory,
  operations,
  type PendingCategory,
  type PetstoreError,
  useCreateCategory,
  usePendingCategories,
  usePetstoreMutation,
  useSendMessage,
  type WaitReason,
} from '../../src/index.ts'
import type { TriggerResult } from '../../src/hooks/usePetstoreMutation.ts'

const pause = defineOperation({ name: 'pause', method: 'POST', path: '/pause', output: z.object({ ok: z.boolean() }) })
const feed = defineOperation({
  name: 'feed',
  method: 'POST',
  path: '/pets/{petId}/meals',
  input: z.object({ petId: z.string(), grams: z.optional(z.number()) }),
  output: z.object({ id: int64 }),
})

/** Compiled, never run: the input and output of trigger. */
export function useTriggers(): void {
  const pausing = usePetstoreMutation(pause)
  const feeding = usePetstoreMutation(feed)
  const creation = useCreateCategory()
  const sending = useSendMessage()
  expectTypeOf(pausing.trigger()).resolves.toEqualTypeOf<TriggerResult<{ ok: boolean }>>()
  expectTypeOf(pausing.trigger(undefined)).resolves.toEqualTypeOf<TriggerResult<{ ok: boolean }>>()
  expectTypeOf(feeding.trigger({ petId: '7' })).resolves.toEqualTypeOf<TriggerResult<{ id: string }>>()
  expectTypeOf(creation.trigger({ name: 'Dog' })).resolves.toEqualTypeOf<TriggerResult<Category>>()
  expectTypeOf(creation.trigger({ name: 'Dog', description: undefined })).resolves.toEqualTypeOf<
    TriggerResult<Category>
  >()
  expectTypeOf(sending.trigger({ message: 'Hello' })).resolves.toEqualTypeOf<TriggerResult<Message>>()

  // @ts-expect-error: the operation takes no input
  void pausing.trigger('text')
  // @ts-expect-error: `trigger` takes no event, so it is no event handler
  const onClick: (event: Event) => unknown = pausing.trigger
  onClick(new Event('click'))
  // @ts-expect-error: the input is required
  void feeding.trigger()
  // @ts-expect-error: `petId` is a string
  void feeding.trigger({ petId: 7 })
  // @ts-expect-error: the name is required
  void creation.trigger({ description: 'Barks' })
  // @ts-expect-error: the service assigns the id
  void creation.trigger({ name: 'Dog', id: '7' })
  // @ts-expect-error: `message` is the field's name
  void sending.trigger({ text: 'Hello' })
}

/** Compiled, never run: `error` narrows the result of a call. */
export function useResults(): () => Promise<void> {
  const { trigger } = useCreateCategory()
  return async () => {
    const { data, error } = await trigger({ name: 'Dog' }, { maxWait: Infinity, priority: 'background' })
    if (error) {
      expectTypeOf(data).toEqualTypeOf<undefined>()
      if (isPetstoreError(error)) expectTypeOf(error).toEqualTypeOf<PetstoreError>()
    } else expectTypeOf(data).toEqualTypeOf<Category>()
  }
}

/** Compiled, never run: `status` narrows the other fields. */
export function useNarrowing(): void {
  const creation = useCreateCategory()
  expectTypeOf(creation.data).toEqualTypeOf<Category | undefined>()
  expectTypeOf(creation.error).toEqualTypeOf<PetstoreError | undefined>()
  expectTypeOf(creation.variables).toEqualTypeOf<NewCategory | undefined>()
  expectTypeOf(creation.wait?.reason).toEqualTypeOf<WaitReason | undefined>()
  expectTypeOf(creation.calls[0]?.wait?.reason).toEqualTypeOf<WaitReason | undefined>()
  switch (creation.status) {
    case 'idle':
      expectTypeOf(creation.data).toEqualTypeOf<undefined>()
      expectTypeOf(creation.variables).toEqualTypeOf<undefined>()
      break
    case 'sending':
      expectTypeOf(creation.variables).toEqualTypeOf<NewCategory>()
      expectTypeOf(creation.wait).toEqualTypeOf<undefined>()
      break
    case 'waiting':
      expectTypeOf(creation.variables).toEqualTypeOf<NewCategory>()
      expectTypeOf(creation.wait.until).toEqualTypeOf<number>()
      break
    case 'success':
      expectTypeOf(creation.data).toEqualTypeOf<Category>()
      expectTypeOf(creation.error).toEqualTypeOf<undefined>()
      break
    case 'error':
      expectTypeOf(creation.error).toEqualTypeOf<PetstoreError>()
      expectTypeOf(creation.data).toEqualTypeOf<undefined>()
      break
    default:
      expectTypeOf(creation).toBeNever()
  }
}

/** Compiled, never run: which options there are. Each accepts `undefined` (exactOptionalPropertyTypes). */
export function useOptions(
  onSuccess: ((data: Category, input: NewCategory) => void) | undefined,
  onError: ((error: PetstoreError, input: NewCategory) => void) | undefined,
  isOptimistic: boolean | undefined,
): void {
  useCreateCategory({ onSuccess, onError, optimistic: isOptimistic })
  usePetstoreMutation(operations.createCategory, { onSuccess, onError })
  useSendMessage({ onSuccess: ({ id }, { message }) => void [id, message] })

  // @ts-expect-error: only the creation of categories can be optimistic
  useSendMessage({ optimistic: true })
  // @ts-expect-error: not an option
  useCreateCategory({ onSettled: () => {} })
  // @ts-expect-error: a message is no category
  useSendMessage({ onSuccess: (data: Category) => void data })
}

/** Compiled, never run: the type of pending rows. */
export function usePendingRows(): void {
  expectTypeOf(usePendingCategories()).toEqualTypeOf<readonly PendingCategory[]>()
  // The id of a row that the service has not confirmed could be mistaken for a real one.
  expectTypeOf<PendingCategory>().not.toHaveProperty('id')
}
