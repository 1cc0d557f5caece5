/** Tells a handler on the page's own server that a call is in the background. No such header: a person waits for it. */
export const priorityHeader = 'Petstore-Priority'
