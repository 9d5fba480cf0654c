import { limits, Problem, type EvaluationContext } from '@signalbox/contract'
import { notFound } from '../../http/answers/problem-response.ts'
import {
  answerJson,
  answerRepresentation,
  type AnswerAllowance,
  type Exchange,
} from '../http/answer.ts'
import { chooseCoding } from '../http/coding.ts'
import { pickRepresentation, type EncodedBody } from '../http/encoded-body.ts'
import { isBehind, renderEvent, renderRefetch } from '../streams/event-stream.ts'
import { getByNames, getItem, type SnapshotNames } from '../http/find-by-names.ts'
import type { Variables } from '../http/render-variables.ts'
import { corsHeaders, type HeaderPolicies, type HeaderPolicy } from '../http/header-policy.ts'
import type { SnapshotKey } from '../cache/published.ts'
import { getReadable, type Reader } from '../cache/reader.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import type { VersionStore } from '../disk/version-store.ts'
import { toBrowserItem, type BrowserItem, type BrowserRow } from './browser-item.ts'

/** Lists what reads by browsers are answered from. Secrets are not among it. */
export interface BrowserAnswersDeps {
  readonly snapshots: SnapshotStore<BrowserItem>
  readonly versionStore: VersionStore<BrowserRow>
  readonly policies: HeaderPolicies
}

/** Describes one read of public values and flags. People read here too: they may not see secrets either. */
export interface BrowserRead {
  readonly exchange: Exchange
  readonly reader: Reader
  readonly allowance: AnswerAllowance
}

/** Answers from the snapshots for browsers. Nothing in here can reach a secret. */
export interface BrowserAnswers {
  /** Sends the current snapshot, found by ids or by names. */
  snapshot(read: BrowserRead, ref: SnapshotKey | SnapshotNames): void
  version(read: BrowserRead, snapshotKey: SnapshotKey, version: number): void | Promise<void>
  /** Sends every value by its key, or as environment variables. */
  values(read: BrowserRead, names: SnapshotNames, variables: Variables | undefined): void
  value(read: BrowserRead, names: SnapshotNames, key: string): void
  /** Evaluates one flag. The allowance was taken when the body was read. */
  flag(read: BrowserRead, names: SnapshotNames, flag: FlagQuery): void
  /** Returns the event that a stream's reader has missed, or `undefined` when `known` is current. */
  follow(reader: Reader, snapshotKey: SnapshotKey, known: string | undefined): Buffer | undefined
  /** Returns the same for a stream of OFREP events. */
  followFlags(
    reader: Reader,
    snapshotKey: SnapshotKey,
    known: string | undefined,
  ): Buffer | undefined
}

/** Names a flag and the context it is evaluated for. */
export interface FlagQuery {
  readonly key: string
  readonly context: EvaluationContext
}

/** Creates the answers to browser keys and people. */
export function createBrowserAnswers(deps: BrowserAnswersDeps): BrowserAnswers {
  const { snapshots, versionStore, policies } = deps
  /** A person's answer is private, as every answer to a session is. */
  const policyFor = ({ reader, exchange }: BrowserRead, kind: 'latest' | 'version') =>
    reader.type === 'person' ? policies.private : policies[kind](exchange.allowOrigin)

  const sendOlder = async (read: BrowserRead, snapshotKey: SnapshotKey, version: number) => {
    // Taken first, because finding and compressing an old version is work.
    read.allowance.take()
    const row = await versionStore.find(snapshotKey, version)
    if (row === undefined) throw notFound()
    send(read, toBrowserItem(getReadable(read.reader, row)).encoded, policyFor(read, 'version'))
  }

  return {
    snapshot(read, ref) {
      send(read, getItem(snapshots, read.reader, ref).encoded, policyFor(read, 'latest'))
    },
    version(read, snapshotKey, version) {
      const item = getReadable(read.reader, snapshots.find(snapshotKey))
      if (item.version === version) return send(read, item.encoded, policyFor(read, 'version'))
      if (!isKept(item.version, version)) throw notFound()
      return sendOlder(read, snapshotKey, version)
    },
    values(read, names, variables) {
      if (variables === 'secrets') throw secretsForbidden()
      const item = getByNames(snapshots, read.reader, names)
      const body = variables === undefined ? item.flattened() : item.variables()
      send(read, body, policyFor(read, 'latest'))
    },
    value(read, names, key) {
      const item = getByNames(snapshots, read.reader, names)
      const representation = item.single(key)
      if (representation === undefined) throw notFound()
      answerRepresentation(read.exchange, representation, policyFor(read, 'latest'), read.allowance)
    },
    flag({ exchange, reader }, names, { key, context }) {
      const decided = getByNames(snapshots, reader, names).flags().decide(key, context)
      if (decided === undefined) throw notFound()
      const { value, source } = decided
      const headers = { 'Cache-Control': 'no-store', ...corsHeaders(exchange.allowOrigin) }
      answerJson(exchange, JSON.stringify({ value, source }), headers)
    },
    follow(reader, snapshotKey, known) {
      const item = getReadable(reader, snapshots.find(snapshotKey))
      return isBehind(known, item.version) ? renderEvent(item) : undefined
    },
    followFlags(reader, snapshotKey, known) {
      const item = getReadable(reader, snapshots.find(snapshotKey))
      return isBehind(known, item.version) ? renderRefetch(item) : undefined
    },
  }
}

function send({ exchange, allowance }: BrowserRead, body: EncodedBody, policy: HeaderPolicy): void {
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
