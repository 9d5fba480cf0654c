import { useMemo } from 'react'
import { call } from '../../../api/call.ts'
import type { AnswerOf, RequestOf } from '../../../api/routes.ts'
import { useWrite } from '../../../api/use-api.ts'
import { FormProblem, Skeleton } from '../../../components/states.tsx'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { useEnvironments } from '../environments.ts'
import { ReviewFooter } from '../review/review-footer.tsx'
import { useReview } from '../review/use-review.ts'
import { usePreview, type Preview } from '../use-preview.ts'
import { toBody } from '../use-save.ts'
import { countFlags } from './count-flags.ts'
import { GroupsDiff } from './groups-diff.tsx'
import { useUndoSegment } from './use-undo-segment.ts'
import type { Segment } from './use-segments.ts'

const route = 'PUT /organizations/{org_id}/segments/{segment}'

type Change = Pick<NonNullable<RequestOf<typeof route>['body']>, 'description' | 'anyOf'>
type Effects = AnswerOf<typeof route>['environments']

interface SegmentReviewProps {
  /** Holds the segment that the change is based on. */
  readonly segment: Segment
  readonly change: Change
  /** Names the button that leaves without a change. */
  readonly back: string
  /** Names the button that makes the change. */
  readonly action: string
  /** Holds the success message without its end, such as `Saved staff`. */
  readonly done: string
  readonly onBack: () => void
  readonly onSaved: () => void
}

/** Renders what a change of a segment changes: who is in it, and every flag that uses it. It saves the change once it is confirmed. */
export function SegmentReview(props: SegmentReviewProps) {
  const { segment, change, back, action, done, onBack, onSaved } = props
  const { data: environments = [] } = useEnvironments()
  const { mutate, isPending, error } = useWrite(route)
  const undo = useUndoSegment()
  const preview = useSegmentPreview(segment, change)
  const effects = preview.answer?.environments ?? []
  const changed = new Set(effects.map(({ environmentId }) => environmentId))
  const { onSubmit, footer } = useReview({
    environments: environments.filter(({ id }) => changed.has(id)),
    requires: preview.answer?.requires,
    problem: error,
    isPending,
    canSave: preview.answer !== undefined,
    onSave: (confirmation) =>
      mutate({
        params: { segment: segment.name },
        body: { ...change, ...toBody(confirmation) },
        ifMatch: segment.version,
        onSuccess: ({ version, environments: published }) => {
          const onSelect = () => void undo({ before: segment, version, confirmation })
          showToast({
            text: `${done}. ${describeEffects(published)}`,
            ...(version !== segment.version && { action: { label: 'Undo', onSelect } }),
          })
          onSaved()
        },
      }),
  })
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <section className="flex flex-col gap-2">
        <h3 className="font-semibold">Who is in it</h3>
        <GroupsDiff before={segment.anyOf} after={change.anyOf} />
      </section>
      <FlagsThatChange preview={preview} />
      <FormProblem problem={error ?? preview.problem ?? null} />
      <ReviewFooter {...footer} back={back} onBack={onBack} action={action} />
    </form>
  )
}

/** Requests what the change would change, by a dry run. */
function useSegmentPreview({ name, version }: Segment, change: Change) {
  const { id: orgId } = useOrganization()
  const ask = useMemo(
    () => (signal: AbortSignal) => {
      const body = { ...change, dryRun: true }
      const request = { params: { org_id: orgId, segment: name }, body, ifMatch: version }
      return call(route, request, signal)
    },
    [orgId, name, version, change],
  )
  return usePreview(ask)
}

/** Lists the flags that the change changes, by environment. */
function FlagsThatChange({ preview }: { readonly preview: Preview<AnswerOf<typeof route>> }) {
  const { answer, problem } = preview
  if (answer === undefined) return problem === undefined ? <Skeleton lines={3} /> : null
  const { environments: effects } = answer
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">Flags that change</h3>
      {effects.length === 0 ? (
        <p className="text-muted">No flag changes. Applications aren’t affected.</p>
      ) : (
        <ul
          aria-label="Flags that change"
          className="divide-y divide-line rounded-lg border border-line"
        >
          {effects.map(({ schemaId, schema, environmentId, environment, flags }) => (
            <li
              key={`${schemaId} ${environmentId}`}
              className="flex flex-wrap items-baseline gap-x-4 px-3 py-2"
            >
              <span className="min-w-0 basis-40 font-medium wrap-anywhere">
                {environment} <span className="font-normal text-muted">({schema})</span>
              </span>
              <span className="min-w-0 flex-1 basis-40 font-mono text-[0.93rem] wrap-anywhere">
                {flags.join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Returns in words which flags changed where. Example: `2 flags changed in staging, production.` */
function describeEffects(effects: Effects): string {
  if (effects.length === 0) return 'No flag changed.'
  const flags = new Set(
    effects.flatMap(({ schemaId, flags: names }) => names.map((name) => `${schemaId} ${name}`)),
  )
  const environments = new Set(effects.map(({ environment }) => environment))
  return `${countFlags(flags.size)} changed in ${[...environments].join(', ')}.`
}
