import { z } from 'zod/v4'
import { proofStates, readingOutcomes, signalKinds } from '../../changes/proofs.ts'
import { org, valueWriter, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { id, page, pageQuery, time } from '../shapes.ts'
import { proofTerms } from './shapes.ts'

/**
 * Lists why a proof ended as it did. `signal`: a signal was bad. `tests`: a test run failed. `no_data`: a signal had no good reading.
 * `deployment`: something was deployed meanwhile. `superseded`: a later change failed. `origin`: the change was taken back where it was
 * made, for the proof of another environment. `restored_database`: the database comes from a backup.
 */
export const proofReasons = [
  'signal',
  'tests',
  'no_data',
  'deployment',
  'superseded',
  'origin',
  'restored_database',
  'stopped',
] as const
export type ProofReason = (typeof proofReasons)[number]

/**
 * Lists why a failed proof did not take its change back. `tell`: the terms say so. `hour`: one was taken back here within the last hour.
 * `touched`: somebody has changed the same keys since. `not_values`: a schema, a segment or a name changed. `first_version`: nothing was
 * there before. `kill_switch`: turning a flag off is never taken back by itself. `refused`: the old values are not allowed any more.
 */
export const notRestoredReasons = [
  'tell',
  'hour',
  'touched',
  'not_values',
  'first_version',
  'kill_switch',
  'refused',
] as const
export type NotRestoredReason = (typeof notRestoredReasons)[number]

const ofSignal = z.object({
  id: id('sig'),
  name: z.string(),
  kind: z.enum(signalKinds),
  /** Counts its readings so far. */
  good: z.number().int(),
  bad: z.number().int(),
  none: z.number().int(),
  /** Names the test run that the change has started. */
  testRunId: id('run').nullable(),
})

const reading = z.object({
  signal: id('sig'),
  at: time,
  value: z.number().nullable(),
  verdict: z.enum(readingOutcomes),
  detail: z.string().nullable(),
})

/** Describes the watch over one version of an environment. */
const summary = z
  .object({
    id: id('prf'),
    state: z.enum(proofStates),
    subject: z.object({
      kind: z.literal('version'),
      environmentId: id('env'),
      environment: z.string(),
      schemaId: id('sch'),
      schema: z.string(),
      versionId: id('ver'),
      version: z.number().int(),
    }),
    /** Lists the keys that the version changed. */
    keys: z.array(z.string()),
    /** Says how it is watched. */
    terms: proofTerms,
    signals: z.array(ofSignal),
    startedAt: time,
    /** Holds when it ends as proven. It moves on where the service could not watch, and stands still while a later change is watched. */
    until: time,
    /** Names the proof of a later change, which is judged first. */
    waitsFor: id('prf').nullable(),
    endedAt: time.nullable(),
    /** Says why it ended, in words for people too. */
    reason: z
      .object({
        code: z.enum(proofReasons),
        signal: id('sig').nullable(),
        /** Example: `api-errors was 4.2, above 2`. */
        detail: z.string(),
      })
      .nullable(),
    /** Lists the versions that took the change back, one for each environment in which it was made. */
    restoredVersions: z.array(
      z.object({
        environmentId: id('env'),
        environment: z.string(),
        versionId: id('ver'),
        version: z.number().int(),
        /** Lists the keys that went back. */
        keys: z.array(z.string()),
      }),
    ),
    /** Says what was not taken back, and why. */
    notRestored: z
      .object({ code: z.enum(notRestoredReasons), keys: z.array(z.string()), detail: z.string() })
      .nullable(),
    /** Names who stopped it. */
    stoppedBy: z.object({ name: z.string(), as: z.enum(['proven', 'tell']) }).nullable(),
    /** Says whether the caller may stop it. */
    mayStop: z.boolean(),
  })
  .meta({ id: 'ProofSummary' })
export interface ProofSummary extends z.output<typeof summary> {}
/** Describes the watch over one version, as lists show it. */
export const proofSummary: z.ZodType<ProofSummary, ProofSummary> = summary

const whole = summary
  .extend({
    /** Holds the newest readings, oldest first. */
    readings: z.array(reading),
  })
  .meta({ id: 'Proof' })
export interface Proof extends z.output<typeof whole> {}
/** Describes the watch over one version, with its newest readings. */
export const proof: z.ZodType<Proof, Proof> = whole

const proofs = `${org}/proofs` as const
const one = `${proofs}/{proof_id}` as const

export const proofEndpoints = declareEndpoints({ tag: 'Proofs', topics: ['proof'] })({
  listProofs: {
    method: 'GET',
    path: proofs,
    summary: 'The proofs of changes, newest first.',
    access: viewerOrKey,
    agents: 'read',
    query: z.strictObject({
      state: z.enum(proofStates).optional(),
      environment: id('env').optional(),
      schema: id('sch').optional(),
      /** Names a version, whose proof is the only one. */
      version: id('ver').optional(),
      ...pageQuery,
    }),
    response: { status: 200, body: page(proofSummary) },
    topics: ['proof', 'environment', 'schema', 'signal'],
    problems: ['invalid_cursor'],
  },
  getProof: {
    method: 'GET',
    path: one,
    summary: 'One proof, with its newest readings.',
    access: viewerOrKey,
    agents: 'read',
    response: { status: 200, body: proof },
    topics: ['proof', 'environment', 'schema', 'signal'],
  },
  stopProof: {
    method: 'POST',
    path: `${one}/stop`,
    summary: 'End a proof: as proven, or without a result. Nothing is taken back.',
    description:
      'A signed-in person stops a proof. Where the policy of the environment asks for it, an admin does, and where the environment needs approvals, nobody stops the proof of their own change.',
    access: { ...valueWriter, keys: 'none' },
    body: z.strictObject({ as: z.enum(['proven', 'tell']) }),
    response: { status: 200, body: proof },
    problems: ['conflict', 'own_request', 'session_required'],
  },
})
