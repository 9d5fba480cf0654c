import { z } from 'zod/v4'
import { configRemover, valueWriter, org, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { author, descriptionText, id, page, pageQuery, resourceName, time } from '../shapes.ts'
import { segmentGroups } from './flag-rules.ts'
import { confirmationFields, protectionProblems, writeFields } from './protection.ts'
import { changeRequirement, configVersion } from './shapes.ts'

/** Describes a segment in a list. */
export const segmentSummary = z
  .object({
    name: z.string(),
    description: z.string(),
    /** Says in words who is in it. Example: `email ends with @acme.example, or plan is pro`. */
    text: z.string(),
    /** Lists the first 50 attributes that its conditions ask for, each with the first 20 values that one can be equal to. */
    attributes: z.array(
      z.object({
        attribute: z.string(),
        values: z.array(z.union([z.string(), z.number(), z.boolean()])),
      }),
    ),
    /** Counts the changes; `If-Match` compares with it. */
    version: z.number().int(),
    /** Counts the flags that use it, each once, in however many environments. */
    flags: z.number().int(),
    createdAt: time,
    updatedAt: time,
    updatedBy: author,
  })
  .meta({ id: 'SegmentSummary' })

/** Describes a flag whose rules refer to a segment, in the environment that sets them. */
export const segmentUse = z
  .object({
    schemaId: id('sch'),
    schema: z.string(),
    environmentId: id('env'),
    environment: z.string(),
    flag: z.string(),
  })
  .meta({ id: 'SegmentUse' })

/** Describes a segment with its groups and the flags that use it. */
export const segment = segmentSummary
  .extend({
    anyOf: segmentGroups,
    /** Lists the first 500 uses. */
    uses: z.array(segmentUse),
    /** Counts the uses. */
    usesTotal: z.number().int(),
  })
  .meta({ id: 'Segment' })

/** Describes what a change of a segment changes for the clients of an environment. */
export const segmentEffect = z
  .object({
    schemaId: id('sch'),
    schema: z.string(),
    environmentId: id('env'),
    environment: z.string(),
    /** Lists the flags whose rules change, also inherited ones. */
    flags: z.array(z.string()),
    /** Holds the new version. Null in a dry run. */
    version: configVersion.nullable(),
  })
  .meta({ id: 'SegmentEffect' })

export const segmentVersion = z
  .object({
    version: z.number().int(),
    author,
    comment: z.string().nullable(),
    createdAt: time,
    description: z.string(),
    anyOf: segmentGroups,
  })
  .meta({ id: 'SegmentVersion' })

const segments = `${org}/segments` as const
const one = `${segments}/{segment}` as const

export const segmentEndpoints = declareEndpoints({ tag: 'Segments', topics: ['segment'] })({
  listSegments: {
    method: 'GET',
    path: segments,
    summary: 'The segments of the organization by name, each with the number of flags that use it.',
    access: viewerOrKey,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(segmentSummary) },
    topics: ['segment', 'configuration'],
    problems: ['invalid_cursor'],
  },
  createSegment: {
    method: 'POST',
    path: segments,
    summary: 'Create a segment. Its name never changes, because rules refer to it.',
    access: valueWriter,
    body: z.strictObject({
      name: resourceName,
      description: descriptionText.optional(),
      anyOf: segmentGroups,
      comment: confirmationFields.comment,
    }),
    response: { status: 201, body: segment },
    problems: ['already_exists', 'quota_exceeded', 'value_too_large', 'key_scope_forbidden'],
  },
  getSegment: {
    method: 'GET',
    path: one,
    summary: 'One segment by name, with the flags that use it.',
    access: viewerOrKey,
    agents: 'read',
    response: { status: 200, body: segment },
    topics: ['segment', 'configuration', 'schema', 'environment'],
  },
  replaceSegment: {
    method: 'PUT',
    path: one,
    summary: 'Replace the groups of a segment, and publish every flag that uses it.',
    description:
      'Writes a version of the kind `segment` in each environment whose clients get other rules, also where the rules are inherited: all of them or none. The change needs the confirmations of the protected ones. A dry run stores nothing and answers the flags that would change. Send the `anyOf` of an older version to restore it.',
    access: valueWriter,
    takesResponse: true,
    body: z.strictObject({
      description: descriptionText.optional(),
      anyOf: segmentGroups,
      dryRun: z.boolean().optional(),
      ...writeFields,
    }),
    response: {
      status: 200,
      body: segment.extend({
        environments: z.array(segmentEffect),
        /** Lists the confirmations that the changed environments require, in a dry run, whether or not the request has them. */
        requires: z.array(changeRequirement),
      }),
    },
    topics: ['segment', 'configuration'],
    problems: [
      'too_many_rules',
      'value_too_large',
      'quota_exceeded',
      'revision_mismatch',
      'key_scope_forbidden',
      ...protectionProblems,
    ],
  },
  deleteSegment: {
    method: 'DELETE',
    path: one,
    summary: 'Delete a segment. One that a flag uses answers 409 with its `uses`.',
    access: configRemover,
    response: { status: 204 },
    problems: ['segment_in_use', 'revision_mismatch', 'key_scope_forbidden'],
  },
  listSegmentVersions: {
    method: 'GET',
    path: `${one}/versions`,
    summary: 'Every change of a segment, newest first.',
    access: viewerOrKey,
    query: z.strictObject(pageQuery),
    response: { status: 200, body: page(segmentVersion) },
    problems: ['invalid_cursor'],
  },
})
