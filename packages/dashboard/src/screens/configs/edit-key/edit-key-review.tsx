import { useState } from 'react'
import type { ApiProblem } from '../../../api/problem.ts'
import { CodeBlock } from '../../../components/code.tsx'
import { Checkbox } from '../../../components/field.tsx'
import { FormProblem } from '../../../components/states.tsx'
import { showToast } from '../../../components/toasts.tsx'
import { renderDeclaration } from '../add-key/render-declaration.ts'
import { readReport, type ReportEntry } from '../definition.ts'
import type { MatrixEnvironment } from '../matrix.ts'
import { ReviewFooter } from '../review/review-footer.tsx'
import { useReview } from '../review/use-review.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import { listDifferences, reachesReaders, type KeyDifference, type ShownKey } from './key-edits.ts'
import type { ValueDifference, ValueEdit } from './stored-values.ts'
import { useReplaceKey } from './use-replace-key.ts'

interface EditKeyReviewProps {
  readonly schema: ConfigSchema
  readonly environments: readonly MatrixEnvironment[]
  readonly name: string
  readonly before: ShownKey
  readonly after: ShownKey
  /** Lists the values that change with it. */
  readonly values: readonly ValueEdit[]
  /** Says that no open value is a secret, although one has the form of it. */
  readonly isPlain: boolean
  /** Describes these values in words. */
  readonly valueDifferences: readonly ValueDifference[]
  /** Holds the rejection of the check before the review: what the change breaks. */
  readonly breaks: ApiProblem | undefined
  /** Says whether somebody else has changed the key since. Nothing is saved before the person has chosen. */
  readonly isOvertaken: boolean
  readonly onBack: () => void
  readonly onSaved: () => void
}

/** Renders what an edit of a key changes, what it breaks, and what the next push makes of it. */
export function EditKeyReview(props: EditKeyReviewProps) {
  const { schema, environments, name, before, after, values, isPlain } = props
  const { isOvertaken, onBack, onSaved } = props
  const { replace, isPending, error } = useReplaceKey(schema)
  const [accepts, setAccepts] = useState(false)
  const isPublished = before.tier === 'secret' && after.tier !== 'secret'
  const broken = error?.code === 'breaking_change' ? error : props.breaks
  const report = broken === undefined ? [] : readReport(broken.fields)
  const mustAccept = isPublished || report.length > 0
  const edited = new Set(values.map(({ environmentId }) => environmentId))
  const reachesAll = reachesReaders(before, after)
  const { onSubmit, footer } = useReview({
    environments: environments.filter(({ id }) => reachesAll || edited.has(id)),
    problem: error,
    isPending,
    mayWatch: false,
    canSave: !isOvertaken && (accepts || !mustAccept),
    onSave: (confirmation) => {
      const acceptance = { force: accepts && report.length > 0, expose: accepts && isPublished }
      replace({ name, key: after, values, confirmation, isPlain, ...acceptance }, () => {
        showToast({ text: `Changed ${name}.` })
        onSaved()
      })
    },
  })
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <FormProblem problem={error === broken && report.length > 0 ? null : error} />
      <Differences differences={[...listDifferences(before, after), ...props.valueDifferences]} />
      <BrokenValues name={name} report={report} />
      {mustAccept && (
        <Acceptance isPublished={isPublished} accepts={accepts} onAccepts={setAccepts} />
      )}
      <NextPush name={name} before={before} after={after} />
      <ReviewFooter {...footer} back="Back" onBack={onBack} action="Save key" />
    </form>
  )
}

interface DifferencesProps {
  readonly differences: readonly Pick<KeyDifference, 'name' | 'before' | 'after'>[]
}

function Differences({ differences }: DifferencesProps) {
  return (
    <dl aria-label="Changes" className="divide-y divide-line rounded-lg border border-line">
      {differences.map((difference) => (
        <div key={difference.name} className="px-3 py-2">
          <dt className="font-medium">{difference.name}</dt>
          <dd className="wrap-anywhere text-muted">
            {difference.before} → <span className="text-text">{difference.after}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface BrokenValuesProps {
  readonly name: string
  readonly report: readonly ReportEntry[]
}

/** Lists the environments whose stored value, or a rule that serves another, no longer fits. */
function BrokenValues({ name, report }: BrokenValuesProps) {
  const broken = report.flatMap(({ environment, invalid }) =>
    invalid.filter(({ key }) => key === name).map(({ detail }) => ({ environment, detail })),
  )
  if (broken.length === 0) return null
  return (
    <div role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
      <ul>
        {broken.map(({ environment, detail }) => (
          <li key={environment} className="wrap-anywhere">
            No longer fits in {environment}: {detail}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface AcceptanceProps {
  /** Says whether the edit makes a secret public. Otherwise it breaks stored values. */
  readonly isPublished: boolean
  readonly accepts: boolean
  readonly onAccepts: (accepts: boolean) => void
}

/** Asks a person to accept what the edit does to stored values. */
function Acceptance({ isPublished, accepts, onAccepts }: AcceptanceProps) {
  const words = isPublished
    ? {
        label: 'Publish its stored values',
        help: 'Everyone can read them from then on, including browsers.',
      }
    : {
        label: 'Save it even though values no longer fit',
        help: 'Applications keep reading them until you correct them. Rules that serve another type or a removed variant don’t count until then.',
      }
  return (
    <Checkbox {...words} checked={accepts} onChange={({ target }) => onAccepts(target.checked)} />
  )
}

interface NextPushProps {
  readonly name: string
  readonly before: ShownKey
  readonly after: ShownKey
}

/** Says what the next push makes of an edit. */
function NextPush({ name, before, after }: NextPushProps) {
  const differences = listDifferences(before, after)
  // Values alone are not in the code.
  if (after.declaredIn === 'dashboard' || differences.length === 0) return null
  if (differences.every((difference) => difference.isNote)) {
    return (
      <p className="text-muted">
        Your code declares this key. A <code>push</code> keeps this edit, unless your code says
        something else.
      </p>
    )
  }
  const { section, code } = renderDeclaration(name, after)
  return (
    <section aria-label="For your code" className="flex flex-col gap-2">
      <h3 className="font-semibold">For your code</h3>
      <p className="text-muted">
        Your code declares this key. The next <code>push</code> replaces your edit with that
        declaration, so change the line in <code>{section}</code> as well:
      </p>
      <CodeBlock code={code} />
    </section>
  )
}
