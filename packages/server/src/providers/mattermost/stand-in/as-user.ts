import type { Answer, Route, SandboxRequest } from '../../../../../sandbox/src/http/route.ts'
import type { MattermostUser } from './state.ts'

/** Makes a handler of one that needs a user. */
export type AsUser = (
  handle: (request: SandboxRequest, user: MattermostUser) => Answer,
) => Route['handle']
