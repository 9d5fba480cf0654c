import { describeVariants, takesRules } from '@signalbox/contract'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogActions } from '../../../components/dialog.tsx'
import { LongText } from '../../../components/long-text.tsx'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { describeConstraints } from '../describe-key.ts'
import { describeNotes } from '../notes/describe-notes.ts'
import { useDeprecate } from '../edit-key/use-deprecate.ts'
import { tierWords, type Matrix, type MatrixKey } from '../matrix.ts'
import { describeCell } from '../rules/describe-cell.ts'
import type { ConfigSchema } from '../schema-picker.tsx'

const readers = {
  public: 'Everyone, including browsers.',
  secret:
    'Applications with a server key. Members who may read secrets can reveal it, which the audit log records.',
  featureFlags: 'Everyone, including browsers.',
} as const

interface KeyDialogProps {
  readonly schema: ConfigSchema
  readonly environments: Matrix['environments']
  readonly row: MatrixKey
  /** Says whether the person may change the key itself. */
  readonly mayDeclare: boolean
  readonly onPanel: (panel: 'edit' | 'delete' | 'rules') => void
  readonly onClose: () => void
}

/** Renders the definition of a key, and the ways to change it. */
export function KeyDialog(props: KeyDialogProps) {
  const { schema, environments, row, mayDeclare, onPanel, onClose } = props
  return (
    <Dialog title={row.key} description={row.description} onClose={onClose}>
      <FactList facts={toFacts(row)} />
      {takesRules(row) && (
        <section aria-label="Who gets it" className="flex flex-col gap-2">
          <h3 className="font-semibold">Who gets it</h3>
          <FactList facts={toRules(row, environments)} />
        </section>
      )}
      {mayDeclare ? (
        <KeyActions schema={schema} row={row} onPanel={onPanel} />
      ) : (
        takesRules(row) && (
          <DialogActions>
            <Button onClick={() => onPanel('rules')}>Rules</Button>
          </DialogActions>
        )
      )}
    </Dialog>
  )
}

type Facts = readonly (readonly [name: string, fact: string])[]

function toFacts(row: MatrixKey): Facts {
  return [
    ...(row.tier === 'featureFlags' ? [] : ([['Type', row.type]] as const)),
    ['Tier', tierWords[row.tier]],
    ['Who can read it', readers[row.tier]],
    ['Required', row.required ? 'Yes. An environment without a value is incomplete.' : 'No'],
    ['Default', toDefault(row)],
    ...(row.targeted === true
      ? ([['Targeted', 'Yes. Rules may serve other values to some contexts.']] as const)
      : []),
    ...(row.variants === undefined
      ? []
      : ([['Variants', describeVariants(row.variants)]] as const)),
    ['Constraints', describeConstraints(row.constraints) || 'None'],
    ...(row.variable === undefined ? [] : ([['Variable', row.variable]] as const)),
    ['Declared in', toOrigin(row)],
    [
      'Differences',
      row.expectedToDiffer === true ? 'Expected between environments' : 'Count as drift',
    ],
    ...describeNotes(row).map(({ name, text }) => [name, text] as const),
    ...(row.deprecated === true
      ? ([['Deprecated', 'Yes. Don’t use it in new code.']] as const)
      : []),
    ...(row.partial === true
      ? ([['Checked in code', 'Your code checks more than the server can']] as const)
      : []),
  ]
}

function FactList({ facts }: { readonly facts: Facts }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
      {facts.map(([name, fact]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere">
            {name === 'Runbook' ? (
              <OutsideLink href={fact}>{fact}</OutsideLink>
            ) : (
              <LongText text={fact} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Returns the saved rules of a flag in words, by environment. */
function toRules({ cells }: MatrixKey, environments: Matrix['environments']): Facts {
  return environments.flatMap(({ name }, at) => {
    const cell = cells[at]
    return cell === undefined ? [] : [[name, describeCell({ cell }, undefined)] as const]
  })
}

function KeyActions({ schema, row, onPanel }: Pick<KeyDialogProps, 'schema' | 'row' | 'onPanel'>) {
  const { deprecate, isPending } = useDeprecate(schema)
  return (
    <DialogActions>
      <Button variant="danger" onClick={() => onPanel('delete')}>
        Delete key
      </Button>
      {takesRules(row) && <Button onClick={() => onPanel('rules')}>Rules</Button>}
      <Button pending={isPending} onClick={() => deprecate(row.key, row.deprecated !== true)}>
        {row.deprecated === true ? 'Remove deprecation' : 'Deprecate'}
      </Button>
      <Button data-start="" variant="primary" onClick={() => onPanel('edit')}>
        Edit key
      </Button>
    </DialogActions>
  )
}

function toOrigin({ declaredIn }: MatrixKey): string {
  return declaredIn === 'dashboard'
    ? 'The dashboard. A push leaves it in place until your code declares it too.'
    : 'Code. The next push replaces what you edit here. The owner, tags, end date and deprecation stay unless your code says something else.'
}

function toDefault({ tier, hasDefault, default: value }: MatrixKey): string {
  if (!hasDefault) return 'None'
  if (tier === 'featureFlags') return value === true ? 'on' : 'off'
  return tier === 'secret' ? 'There is one, and it is secret' : JSON.stringify(value)
}
