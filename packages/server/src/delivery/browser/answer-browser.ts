import { limits, type EvaluationContext } from '@signalbox/contract'
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
import { getByNames, getItem, type NamedPlace } from '../http/find-by-names.ts'
import { corsHeaders, type HeaderPolicies, type HeaderPolicy } from '../http/header-policy.ts'
import type { PairKey } from '../cache/published.ts'
import { getReadable, type Reader } from '../cache/reader.ts'
import type { Shelf } from '../cache/shelf.ts'
import type { SnapshotArchive } from '../disk/snapshot-archive.ts'
import { toBrowserItem, type BrowserItem, type BrowserRow } from './browser-item.ts'

export interface BrowserAnswersDeps {
  readonly shelf: Shelf<BrowserItem>
  readonly archive: SnapshotArchive<BrowserRow>
  readonly policies: HeaderPolicies
}

/** One read of the browsers' world. People read here too: secrets are not for them. */
export interface BrowserRead {
  readonly exchange: Exchange
  readonly reader: Reader
  readonly allowance: AnswerAllowance
}

/** Answers from the snapshots for browsers. Nothing in here can reach a secret. */
export interface BrowserAnswers {
  /** The current snapshot, by ids or by names. */
  snapshot(read: BrowserRead, place: PairKey | NamedPlace): void
  version(read: BrowserRead, pair: PairKey, version: number): void | Promise<void>
  values(read: BrowserRead, place: NamedPlace): void
  value(read: BrowserRead, place: NamedPlace, key: string): void
  /** Its allowance was taken when its body was read. */
  flag(read: BrowserRead, place: NamedPlace, flag: AskedFlag): void
  /** What the reader of a stream has missed. */
  follow(reader: Reader, pair: PairKey, known: string | undefined): Buffer | undefined
  /** The same for a stream of OFREP's events. */
  followFlags(reader: Reader, pair: PairKey, known: string | undefined): Buffer | undefined
}

export interface AskedFlag {
  readonly key: string
  readonly context: EvaluationContext
}

export function createBrowserAnswers(deps: BrowserAnswersDeps): BrowserAnswers {
  const { shelf, archive, policies } = deps
  /** An answer to a person is for that person's eyes, as every answer to a session is. */
  const policyFor = ({ reader, exchange }: BrowserRead, kind: 'latest' | 'version') =>
    reader.type === 'person' ? policies.private : policies[kind](exchange.allowOrigin)

  const sendOlder = async (read: BrowserRead, pair: PairKey, version: number) => {
    // Before it is found and compressed for this answer alone.
    read.allowance.take()
    const row = await archive.find(pair, version)
    if (row === undefined) throw notFound()
    send(read, toBrowserItem(getReadable(read.reader, row)).encoded, policyFor(read, 'version'))
  }

  return {
    snapshot(read, place) {
      send(read, getItem(shelf, read.reader, place).encoded, policyFor(read, 'latest'))
    },
    version(read, pair, version) {
      const item = getReadable(read.reader, shelf.find(pair))
      if (item.version === version) return send(read, item.encoded, policyFor(read, 'version'))
      if (!isKept(item.version, version)) throw notFound()
      return sendOlder(read, pair, version)
    },
    values(read, place) {
      const item = getByNames(shelf, read.reader, place)
      send(read, item.flattened(), policyFor(read, 'latest'))
    },
    value(read, place, key) {
      const item = getByNames(shelf, read.reader, place)
      const representation = item.single(key)
      if (representation === undefined) throw notFound()
      answerRepresentation(read.exchange, representation, policyFor(read, 'latest'), read.allowance)
    },
    flag({ exchange, reader }, place, { key, context }) {
      const decided = getByNames(shelf, reader, place).flags().decide(key, context)
      if (decided === undefined) throw notFound()
      const { value, source } = decided
      const headers = { 'Cache-Control': 'no-store', ...corsHeaders(exchange.allowOrigin) }
      answerJson(exchange, JSON.stringify({ value, source }), headers)
    },
    follow(reader, pair, known) {
      const item = getReadable(reader, shelf.find(pair))
      return isBehind(known, item.version) ? renderEvent(item) : undefined
    },
    followFlags(reader, pair, known) {
      const item = getReadable(reader, shelf.find(pair))
      return isBehind(known, item.version) ? renderRefetch(item) : undefined
    },
  }
}

function send({ exchange, allowance }: BrowserRead, body: EncodedBody, policy: HeaderPolicy): void {
  const coding = chooseCoding(exchange.request.headers['accept-encoding'])
  answerRepresentation(exchange, pickRepresentation(body, coding), policy, allowance)
}

/** Whether `version` is among the last that are kept. */
function isKept(current: number, version: number): boolean {
  return version < current && version > current - limits.snapshotVersionsKept
}
