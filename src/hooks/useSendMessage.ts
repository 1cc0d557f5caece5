'use client'

import type { Message, NewMessage } from '../contract/message.ts'
import { useMutation, type UsePetstoreMutationOptions, type UsePetstoreMutationResult } from './usePetstoreMutation.ts'

/** The options of every mutation. */
export type UseSendMessageOptions = UsePetstoreMutationOptions<NewMessage, Message>

/** The result of `useSendMessage`: `data` is the message as the service accepted it. */
export type UseSendMessageResult = UsePetstoreMutationResult<NewMessage, Message>

/**
 * Sends messages (`sendMessage`) to the provider's `quickstartBaseUrl`. Success means that the service has accepted the
 * message; its `status` tells how far it got: `queued` is not delivered. After a failure whose `error.outcome` is
 * `'unknown'`, the service may have received the message, so it is not sent again.
 *
 * @throws Error if used outside `PetstoreProvider`
 */
export function useSendMessage(options: UseSendMessageOptions = {}): UseSendMessageResult {
  return useMutation((client, newMessage, callOptions) => client.sendMessage(newMessage, callOptions), options)
}
