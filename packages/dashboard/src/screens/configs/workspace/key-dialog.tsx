import { Dialog } from '../../../components/dialog.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { describeConstraints } from '../describe-key.ts'
import { tierWords, type MatrixKey } from '../matrix.ts'

const readers = {
  public: 'Everyone: it is sent to browsers.',
  secret:
    'Applications with a server key, and members by revealing it, which the audit log records.',
  featureFlags: 'Everyone: browsers see whether it is on.',
} as const

/** Renders the definition of a key. */
export function KeyDialog({
  row,
  onClose,
}: {
  readonly row: MatrixKey
  readonly onClose: () => void
}) {
  const facts: readonly (readonly [name: string, fact: string])[] = [
    ['Type', row.type],
    ['Tier', tierWords[row.tier]],
    ['Who can read it', readers[row.tier]],
    ['Required', row.required ? 'Yes. An environment without a value is incomplete.' : 'No'],
    ['Default', toDefault(row)],
    ['Constraints', describeConstraints(row.constraints) || 'None'],
    ...(row.partial === true
      ? ([['Checked in code', 'Your definition checks more than the server can']] as const)
      : []),
  ]
  return (
    <Dialog title={row.key} description={row.description} onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        {facts.map(([name, fact]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">
              <LongText text={fact} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function toDefault({ tier, hasDefault, default: value }: MatrixKey): string {
  if (!hasDefault) return 'None'
  return tier === 'secret' ? 'There is one, and it is secret' : JSON.stringify(value)
}
