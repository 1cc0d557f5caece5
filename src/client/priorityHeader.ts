/**
 * Tells a handler on the page's own server whether a person waits for a call (`user`), or nobody (`background`). It also
 * marks the call as one of a page: no page of another origin can send it without that server's consent.
 */
export const priorityHeader = 'Petstore-Priority'
