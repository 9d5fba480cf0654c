import { describeSegment, listSeenAttributes, type SegmentGroup } from '@signalbox/contract'
import { segmentEndpoints as endpoints, type ResponseOf } from '@signalbox/contract/rest'
import { z } from 'zod'
import type { Router } from '../../http/router.ts'
import type { ConfigDeps } from '../config-deps.ts'
import { toConfirmation } from '../../config-model/confirmation.ts'
import { toCaller } from '../to-caller.ts'
import { presentVersion } from '../versions/version-routes.ts'
import { createSegment, type ShownSegment } from './create-segment.ts'
import { deleteSegment } from './delete-segment.ts'
import { getSegment, listSegmentVersions, pageSegments } from './read-segments.ts'
import { replaceSegment, type ReplacedSegment } from './replace-segment.ts'
import type { CountedSegmentRow } from './segment-rows.ts'

type Segment = ResponseOf<typeof endpoints.getSegment>
type Summary = ResponseOf<typeof endpoints.listSegments>['items'][number]

/** Serves the endpoints of segments. */
export function mountSegments(router: Router, deps: ConfigDeps): void {
  mountReads(router, deps)
  router
    .add(endpoints.createSegment, {
      handle: ({ body, ...request }) =>
        createSegment(deps, toCaller(request), {
          name: body.name,
          description: body.description,
          anyOf: body.anyOf,
          comment: body.comment,
        }),
      present,
      versionOf,
    })
    .add(endpoints.replaceSegment, {
      handle: ({ body, ...request }) =>
        replaceSegment(deps, toCaller(request), request.params.segment, {
          description: body.description,
          anyOf: body.anyOf,
          dryRun: body.dryRun ?? false,
          confirmation: toConfirmation(body),
          ifMatch: request.ifMatch,
          readOnly: request.readOnly,
        }),
      present: (replaced: ReplacedSegment) => ({
        ...present(replaced),
        environments: replaced.environments.map(({ flags, version, ...place }) => ({
          ...place,
          flags: [...flags],
          version: version === undefined ? null : presentVersion(version),
        })),
        requires: [...replaced.requires],
      }),
      versionOf,
    })
    .add(endpoints.deleteSegment, {
      handle: (request) =>
        deleteSegment(deps, toCaller(request), request.params.segment, {
          ifMatch: request.ifMatch,
        }),
    })
}

function mountReads(router: Router, deps: ConfigDeps): void {
  router
    .addPage(endpoints.listSegments, {
      position: z.string(),
      list: (request, page) => pageSegments(deps, toCaller(request), page),
      positionOf: ({ name }) => name,
      present: presentSummary,
    })
    .add(endpoints.getSegment, {
      handle: (request) => getSegment(deps, toCaller(request), request.params.segment),
      present,
      versionOf,
    })
    .addPage(endpoints.listSegmentVersions, {
      position: z.number().int(),
      list: (request, page) =>
        listSegmentVersions(deps, toCaller(request), request.params.segment, page),
      positionOf: ({ version }) => version,
      present: ({ createdAt, anyOf, ...version }) => ({
        ...version,
        createdAt: createdAt.toISOString(),
        anyOf: presentGroups(anyOf),
      }),
    })
}

function presentSummary({ anyOf, createdAt, updatedAt, ...row }: CountedSegmentRow): Summary {
  return {
    ...row,
    text: describeSegment(anyOf),
    attributes: listSeenAttributes(anyOf.flatMap(({ when }) => when)).map(
      ({ attribute, values }) => ({ attribute, values: [...values] }),
    ),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function present({ row, used }: ShownSegment): Segment {
  return {
    ...presentSummary({ ...row, flags: used.flags }),
    anyOf: presentGroups(row.anyOf),
    uses: [...used.uses],
    usesTotal: used.total,
  }
}

/** Returns stored groups, which were checked when they were written. */
function presentGroups(groups: readonly SegmentGroup[]): Segment['anyOf'] {
  // The shape of the contract is mutable, and otherwise the same.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return groups as Segment['anyOf']
}

function versionOf({ row }: ShownSegment): number {
  return row.version
}
