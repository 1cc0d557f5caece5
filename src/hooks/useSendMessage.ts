'use client'

import type { Message, NewMessage } from '../contract/message.ts'
import { usePetstoreContext } from './PetstoreContext.ts'
import { useMutation } from './useMutation.ts'
import type { UsePetstoreMutationOptions, UsePetstoreMutationResult } from './usePetstoreMutation.ts'

/** The options of every mutation. */
export type UseSendMessageOptions = UsePetstoreMutationOptions<NewMessage, Message>

/** What `useSendMessage` gives: `data` is the message as the service took it. */
export type UseSendMessageResult<Settled = Message> = UsePetstoreMutationResult<NewMessage, Message, Settled>

/**
 * Sends messages (`sendMessage`), to the provider's `quickstartBaseUrl`. Success means that the service has taken the
 * message, as its `status` says: `queued` is not delivered. After a failure whose `error.outcome` is `'unknown'` it may
 * have been sent all the same: it is never sent twice.
 *
 * @throws Error outside a `PetstoreProvider`
 */
export function useSendMessage(
  options?: UseSendMessageOptions & { readonly throwOnError?: true | undefined },
): UseSendMessageResult
export function useSendMessage(options: UseSendMessageOptions): UseSendMessageResult<Message | undefined>
export function useSendMessage(options: UseSendMessageOptions = {}): UseSendMessageResult<Message | undefined> {
  const { client } = usePetstoreContext('useSendMessage')
  return useMutation(client, (sender, newMessage, callOptions) => sender.sendMessage(newMessage, callOptions), options)
}
