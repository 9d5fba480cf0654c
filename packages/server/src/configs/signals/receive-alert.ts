import { timingSafeEqual } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '@signalbox/contract'
import type { EndpointShape } from '@signalbox/contract/rest'
import { takeRandomBytes } from '../../crypto/random.ts'
import { hashToken } from '../../crypto/tokens.ts'
import { parseMacHex, verifyMac } from '../../crypto/verify-mac.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'
import type { EndpointRequest } from '../../http/input/endpoint-request.ts'
import type { Tx } from '../../store/store.ts'
import { openCredential } from './credential.ts'
import { readAlert } from './read-alert.ts'
import { readAlerts, readSentry } from './read-payload.ts'
import { findAlertedRow, lockSignalRow, saveAlerts, type AlertedRow } from './signal-rows.ts'
import type { SignalDeps } from './test-signal.ts'

type Sent = Pick<EndpointRequest<EndpointShape>, 'header' | 'checkSender' | 'readBytes'>

/** Tells how a sender proves itself: by the secret of the address, or by Sentry's signature of the body. */
type Proof =
  | { readonly text: string; readonly secret: string }
  | { readonly text: string; readonly mac: Buffer; readonly body: Buffer }

/** Stands for the hash of a signal that doesn't exist. */
const nobody = hashToken(takeRandomBytes(32).toString('base64url'))
const heardEveryMs = 60_000

/**
 * Receives alerts for a signal. One that doesn't exist is refused as a wrong secret is, after the same work.
 *
 * @throws {Problem} `missing_credentials`, `invalid_credentials`, `rate_limited`, `body_too_large`, `invalid_json`,
 * `validation_failed`
 */
export async function receiveAlert(deps: SignalDeps, id: string, sent: Sent): Promise<void> {
  const proof = await readProof(sent)
  const signal = await sent.checkSender(async (beforeLookup) => {
    beforeLookup(`${id} ${proof.text}`)
    const row = await deps.store.intake((tx) => findProven(deps, tx, id, proof))
    if (row === undefined) throw new Problem('invalid_credentials', wrong)
    return row
  })
  const payload = readForeignJson('body' in proof ? proof.body : await sent.readBytes())
  if (payload === undefined) throw new Problem('invalid_json', 'Send the alerts as JSON.')
  await note(deps, signal, { payload, resource: sent.header('sentry-hook-resource') })
}

const wrong =
  'There is no such signal, or its secret is another one. Send the secret of the address as "Authorization: Bearer …" or as the password of Basic. Sentry signs with the client secret of its integration.'

const bearer = /^Bearer +(\S{1,200}) *$/i
const basic = /^Basic +([\w+/=-]{1,1000}) *$/i

/** @throws {Problem} `missing_credentials`, `invalid_credentials`, `body_too_large` */
async function readProof({ header, readBytes }: Sent): Promise<Proof> {
  const signature = header('sentry-hook-signature')
  if (signature !== undefined) {
    const mac = parseMacHex(signature)
    if (mac === undefined) throw new Problem('invalid_credentials', wrong)
    return { text: signature, mac, body: await readBytes() }
  }
  const sent = header('authorization')
  if (sent === undefined) throw new Problem('missing_credentials', wrong)
  const pair = Buffer.from(basic.exec(sent)?.[1] ?? '', 'base64').toString()
  const secret = bearer.exec(sent)?.[1] ?? pair.slice(pair.indexOf(':') + 1)
  if (secret === '') throw new Problem('invalid_credentials', wrong)
  return { text: secret, secret }
}

/** Finds a signal whose sender has proved itself. Does the same for every id. */
async function findProven(
  { keys }: Pick<SignalDeps, 'keys'>,
  tx: Tx,
  id: string,
  proof: Proof,
): Promise<AlertedRow | undefined> {
  const row = await findAlertedRow(tx, id)
  if ('secret' in proof) {
    const isRight = timingSafeEqual(row?.secretHash ?? nobody, hashToken(proof.secret))
    return isRight ? row : undefined
  }
  const secret = (await openSecret(keys, tx, row)) ?? nobody
  return verifyMac([secret], { mac: proof.mac, prefix: '' }, proof.body) ? row : undefined
}

async function openSecret(
  keys: SignalDeps['keys'],
  tx: Tx,
  row: AlertedRow | undefined,
): Promise<string | undefined> {
  try {
    const sealer = await keys.getSealer(tx, row?.orgId ?? '')
    return row && openCredential(sealer, row.orgId, row).clientSecret
  } catch (error) {
    if (row === undefined && error instanceof Problem) return undefined
    throw error
  }
}

interface Heard {
  readonly payload: unknown
  readonly resource: string | undefined
}

async function note(
  { store, now }: SignalDeps,
  { id, orgId, spec, secretHash, sealed }: AlertedRow,
  { payload, resource }: Heard,
): Promise<void> {
  await store.transaction({ orgId }, async (tx) => {
    const known = await lockSignalRow(tx, orgId, id)
    const proved = [known?.secretHash, known?.sealed]
    // It may have another secret by now.
    if (known === undefined || !isDeepStrictEqual(proved, [secretHash, sealed]))
      throw new Problem('invalid_credentials', wrong)
    const at = now()
    const received = { payload, firing: known.firing, now: at }
    const isOfSentry = spec.kind === 'alert' && spec.format === 'sentry'
    const firing = isOfSentry ? readSentry(resource, received) : readAlerts(received)
    if (firing === undefined) return
    const isHeard = known.heardAt !== null && at.getTime() - known.heardAt.getTime() < heardEveryMs
    if (isHeard && isDeepStrictEqual(firing, known.firing)) return
    const reading = readAlert({ firing, heardAt: at }, new Date(0), at)
    await saveAlerts(tx, orgId, { id, firing, reading, at })
  })
}
