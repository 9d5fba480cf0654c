import { timingSafeEqual } from 'node:crypto'
import type { AuthorizationCodes, Redeemed } from './authorization-codes.ts'
import type { Read } from './authorize-routes.ts'

/** Describes a request of a token endpoint: its fields, and what `Authorization: Basic` holds. */
export interface TokenRequest {
  readonly fields: ReadonlyMap<string, string>
  readonly basic: readonly [id: string, secret: string] | undefined
}

/** Names why tokens are refused: the client, the kind of the grant, a field that is missing, the refresh token, or the code. */
export type TokenRejection =
  | 'unknown_client'
  | 'wrong_secret'
  | 'grant_type'
  | 'missing'
  | 'refresh_token'
  | Exclude<Redeemed<unknown>['outcome'], 'redeemed'>

type GrantType = 'authorization_code' | 'refresh_token'

/** Describes how a provider issues tokens (RFC 6749 §4.1.3 and §6). `Reply` is what it answers with. */
export interface TokenSettings<Subject, Reply> {
  readonly codes: AuthorizationCodes<Subject>
  /** Returns the secret of a client. `undefined`: there is no such client. */
  readonly secretOf: (clientId: string) => string | undefined
  /** Says that a request may come without the secret. A code then needs the challenge that stands for it. */
  readonly isPublic?: (read: Read) => boolean
  /** Holds what a request without `grant_type` means. Default: it is refused. */
  readonly defaultGrantType?: GrantType
  /** Lists the fields that a grant needs. */
  readonly required?: Readonly<Partial<Record<GrantType, readonly string[]>>>
  readonly issue: (subject: Subject, read: Read) => Reply
  /** Renews tokens. `undefined`: the refresh token is not good. Left out: there is no such grant. */
  readonly refresh?: (refreshToken: string, read: Read, clientId: string) => Reply | undefined
  /** `detail` is the id of the client, the kind of the grant, or the name of the missing field. */
  readonly refuse: (rejection: TokenRejection, detail: string) => Reply
}

/** Returns the client that a request comes from, and whether it comes without its secret, or why it is refused. */
export function identifyClient(
  { secretOf, isPublic }: Pick<TokenSettings<never, unknown>, 'secretOf' | 'isPublic'>,
  { fields, basic }: TokenRequest,
): { readonly clientId: string; readonly isWithout: boolean; readonly rejection?: TokenRejection } {
  const read: Read = (name) => fields.get(name) ?? ''
  const [clientId, secret] = basic ?? [read('client_id'), read('client_secret')]
  const known = secretOf(clientId)
  if (known === undefined) return { clientId, isWithout: false, rejection: 'unknown_client' }
  const isWithout = secret === '' && isPublic?.(read) === true
  if (isWithout || isSame(secret, known)) return { clientId, isWithout }
  return { clientId, isWithout, rejection: 'wrong_secret' }
}

/** Answers a request for tokens by a code or by a refresh token. */
export function answerTokenRequest<Subject, Reply>(
  settings: TokenSettings<Subject, Reply>,
  request: TokenRequest,
): Reply {
  const { refuse, required } = settings
  const { clientId, isWithout, rejection } = identifyClient(settings, request)
  if (rejection !== undefined) return refuse(rejection, clientId)
  const read: Read = (name) => request.fields.get(name) ?? ''
  const grantType = read('grant_type') || (settings.defaultGrantType ?? '')
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token') {
    return refuse('grant_type', grantType)
  }
  const missing = required?.[grantType]?.find((name) => read(name) === '')
  if (missing !== undefined) return refuse('missing', missing)
  if (grantType === 'authorization_code') return redeem(settings, read, { clientId, isWithout })
  if (settings.refresh === undefined) return refuse('grant_type', grantType)
  return settings.refresh(read('refresh_token'), read, clientId) ?? refuse('refresh_token', '')
}

function redeem<Subject, Reply>(
  { codes, issue, refuse }: TokenSettings<Subject, Reply>,
  read: Read,
  { clientId, isWithout }: { readonly clientId: string; readonly isWithout: boolean },
): Reply {
  const redeemed = codes.redeem({
    code: read('code'),
    clientId,
    redirectUri: read('redirect_uri') || undefined,
    codeVerifier: read('code_verifier') || undefined,
  })
  if (redeemed.outcome !== 'redeemed') return refuse(redeemed.outcome, '')
  if (isWithout && !redeemed.hadChallenge) return refuse('wrong_secret', clientId)
  return issue(redeemed.subject, read)
}

/** Compares secrets in constant time. */
function isSame(one: string, other: string): boolean {
  const [sent, known] = [Buffer.from(one), Buffer.from(other)]
  return sent.length === known.length && timingSafeEqual(sent, known)
}
