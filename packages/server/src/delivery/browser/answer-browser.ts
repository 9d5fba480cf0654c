import {
  createBuckets,
  divideServe,
  limits,
  nameServed,
  Problem,
  toUnit,
  type EvaluationContext,
} from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import { answerJson, answerRepresentation, type Read } from '../http/answer.ts'
import { chooseCoding } from '../http/coding.ts'
import { pickRepresentation, type EncodedBody } from '../http/encoded-body.ts'
import { getByNames, getCurrent, getItem, type SnapshotNames } from '../http/find-by-names.ts'
import type { Variables } from '../http/render-variables.ts'
import { corsHeaders, type HeaderPolicies, type HeaderPolicy } from '../http/header-policy.ts'
import type { SnapshotKey } from '../cache/published.ts'
import { getReadable, type Reader } from '../cache/reader.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import type { VersionStore } from '../disk/version-store.ts'
import { toAscii, type DecidedFlag } from '../ofrep/flag-set.ts'
import { toBrowserItem, type BrowserItem, type BrowserRow } from './browser-item.ts'

/** Holds what reads by browsers are answered from: people read here too. No secret is in it, and nothing here reaches one. */
export interface BrowserSource {
  readonly snapshots: SnapshotStore<BrowserItem>
  readonly versionStore: VersionStore<BrowserRow>
  readonly policies: HeaderPolicies
}

/** Names a flag or a targeted key, and the context it is evaluated for. */
export interface FlagQuery {
  readonly key: string
  /** The word of the path. Example: `feature-flags`. */
  readonly of: string
  readonly context: EvaluationContext
}

/** Sends the current snapshot, found by ids or by names. */
export function answerBrowserSnapshot(
  source: BrowserSource,
  read: Read,
  ref: SnapshotKey | SnapshotNames,
): void {
  const item = getItem(source.snapshots, read.reader, ref)
  send(read, item.encoded, policyFor(source, read, 'latest'))
}

/** Sends a version: the current one from memory, an older one from the disk or the database. */
export function answerBrowserVersion(
  source: BrowserSource,
  read: Read,
  snapshotKey: SnapshotKey,
  version: number,
): void | Promise<void> {
  const item = getCurrent(source.snapshots, read.reader, snapshotKey)
  if (item.version === version) {
    return send(read, item.encoded, policyFor(source, read, 'version'))
  }
  if (!isKept(item.version, version)) throw notFound()
  return sendOlder(source, read, snapshotKey, version)
}

async function sendOlder(
  source: BrowserSource,
  read: Read,
  snapshotKey: SnapshotKey,
  version: number,
): Promise<void> {
  // Taken first, because finding and compressing an old version is work.
  read.allowance.take()
  const row = await source.versionStore.find(snapshotKey, version)
  const { encoded } = toBrowserItem(getReadable(read.reader, row))
  send(read, encoded, policyFor(source, read, 'version'))
}

/** Sends every value by its key, or as environment variables. */
export function answerBrowserValues(
  source: BrowserSource,
  read: Read,
  names: SnapshotNames,
  variables: Variables | undefined,
): void {
  if (variables === 'secrets') throw secretsForbidden()
  const item = getByNames(source.snapshots, read.reader, names)
  const body = variables === undefined ? item.flattened() : item.variables()
  send(read, body, policyFor(source, read, 'latest'))
}

export function answerBrowserValue(
  source: BrowserSource,
  read: Read,
  names: SnapshotNames,
  key: string,
): void {
  const representation = getByNames(source.snapshots, read.reader, names).single(key)
  if (representation === undefined) throw notFound()
  const policy = policyFor(source, read, 'latest')
  answerRepresentation(read.exchange, representation, policy, read.allowance)
}

/**
 * Evaluates one flag or targeted key. The allowance was taken when the body was read. A browser key is told neither the rule nor
 * the bucket: the id of a rule is made of its content.
 */
export function answerEvaluation(
  { snapshots }: BrowserSource,
  { exchange, reader }: Read,
  names: SnapshotNames,
  { key, of, context }: FlagQuery,
): void {
  const item = getByNames(snapshots, reader, names)
  const decided = item.flags().decide(key, context)
  if (decided === undefined || !isOfKind(of, decided)) throw notFound()
  const { value, source, variant = nameServed(value) } = decided
  const described = isBrowserKey(reader) ? {} : explainDecision(item, key, { decided, context })
  const headers = { 'Cache-Control': 'no-store', ...corsHeaders(exchange.allowOrigin) }
  answerJson(exchange, toAscii(JSON.stringify({ value, source, variant, ...described })), headers)
}

function isBrowserKey(reader: Reader): boolean {
  return reader.type === 'apiKey' && reader.kind === 'b2m'
}

/** Returns whether a key is what the path calls it: a flag, a number, or a targeted key of any type. */
function isOfKind(of: string, { isFlag, value }: DecidedFlag): boolean {
  if (of === 'feature-flags') return isFlag
  return !isFlag && (of === 'values' || typeof value === 'number')
}

interface Explained {
  readonly decided: DecidedFlag
  readonly context: EvaluationContext
}

function explainDecision(
  { schemaId }: BrowserItem,
  key: string,
  { decided: { rule, reason }, context }: Explained,
) {
  if (rule === undefined || reason === 'unknown') return {}
  const { by } = divideServe(rule.serve)
  const unit = by === undefined ? undefined : toUnit(context[by])
  return {
    ...(rule.id !== undefined && { matchedRuleId: rule.id }),
    ...(unit !== undefined && { bucket: createBuckets(schemaId, key)(unit) }),
  }
}

/** A person's answer is private, as every answer to a session is. */
function policyFor(
  { policies }: BrowserSource,
  { reader, exchange }: Read,
  kind: 'latest' | 'version',
): HeaderPolicy {
  return reader.type === 'person' ? policies.private : policies[kind](exchange.allowOrigin)
}

function send({ exchange, allowance }: Read, body: EncodedBody, policy: HeaderPolicy): void {
  const coding = chooseCoding(exchange.request.headers['accept-encoding'])
  answerRepresentation(exchange, pickRepresentation(body, coding), policy, allowance)
}

function secretsForbidden(): Problem {
  return new Problem(
    'key_kind_forbidden',
    'Only server keys (sbx_m2m_…) read secrets. Leave out "only=secrets", or use a server key.',
  )
}

/** Returns whether `version` is within the retention. */
function isKept(current: number, version: number): boolean {
  return version < current && version > current - limits.snapshotVersionsKept
}
