/** The servers in the order of the table. */
export const serverNames = [
  'express-rate-limit, headers readable',
  'express-rate-limit, headers hidden',
  'express-rate-limit, draft-7',
  'express-rate-limit, draft-8',
  'nginx limit_req, 503 readable',
  'nginx limit_req, 503 without CORS',
] as const

export type ServerName = (typeof serverNames)[number]
