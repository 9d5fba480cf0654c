import { describeVariants, tiers, type Tier } from '@signalbox/contract'
import { describeConstraints } from '../configs/describe-key.ts'
import { tierIcons } from '../configs/grid/key-cell.tsx'
import { toValueText } from '../configs/matrix.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { LongText } from '../../components/long-text.tsx'
import { Panel } from '../../components/panel.tsx'
import { Cell, Row, Table } from '../../components/table.tsx'

type Fields = readonly (readonly [key: string, field: ConfigSchema['schema'][string]])[]

const titles: Readonly<Record<Tier, string>> = {
  public: 'Public: everyone can read them, including browsers',
  secret: 'Secret: servers only',
  featureFlags: 'Flags: everyone can read their state',
}

/** Shows the keys of a schema by tier. */
export function FieldTable({ schema }: { readonly schema: ConfigSchema }) {
  const all = Object.entries(schema.schema)
  return tiers.map((tier) => {
    const fields = all.filter(([, field]) => field.tier === tier)
    return fields.length > 0 && <TierTable key={tier} tier={tier} fields={fields} />
  })
}

function TierTable({ tier, fields }: { readonly tier: Tier; readonly fields: Fields }) {
  const Icon = tierIcons[tier]
  return (
    <Panel
      title={titles[tier]}
      actions={
        <span className="inline-flex items-center gap-1.5 text-sm text-muted">
          <Icon aria-hidden size={14} /> {fields.length} {fields.length === 1 ? 'key' : 'keys'}
        </span>
      }
      flush
    >
      <Table
        columns={[
          { title: 'Key', className: 'w-2/6' },
          { title: 'Type', className: 'w-1/6' },
          { title: 'Default', className: 'w-1/4' },
          'Constraints',
        ]}
      >
        {fields.map(([key, field]) => (
          <Row key={key}>
            <Cell className="sm:max-w-72">
              <span className="flex flex-wrap items-baseline gap-x-2 sm:flex-nowrap">
                <span className="min-w-0 sm:truncate font-mono" title={key}>
                  {key}
                </span>
                <Origin of={field} />
              </span>
              {field.description !== undefined && (
                <span className="block sm:truncate text-sm text-muted" title={field.description}>
                  {field.description}
                </span>
              )}
            </Cell>
            <Cell className="sm:whitespace-nowrap">
              {field.type}
              {!field.required && <span className="text-muted">, optional</span>}
              {field.targeted === true && <span className="text-muted">, targeted</span>}
            </Cell>
            <Cell className="sm:max-w-72">
              {field.hasDefault && (
                <span className="block font-mono text-sm break-all">
                  <LongText text={toDefault(field)} />
                </span>
              )}
            </Cell>
            <Cell className="sm:max-w-72">
              <Constraints of={field} />
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  )
}

/** Shows the constraints of a key in words, the variants of a flag, and whether code checks more than they say. */
function Constraints({ of: field }: { readonly of: Fields[number][1] }) {
  const { variants } = field
  const words = [
    describeConstraints(field.constraints),
    variants === undefined ? '' : `variants ${describeVariants(variants)}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
  if (field.partial !== true && words === '') return null
  return (
    <span className="block sm:truncate text-sm text-muted" title={words}>
      {words}
      {field.partial === true && ' (your code checks more)'}
    </span>
  )
}

/** Names in a word where a key is declared. A push replaces what code declares, and leaves the others in place. */
function Origin({ of: { declaredIn = 'code' } }: { readonly of: Fields[number][1] }) {
  return (
    <span
      title={declaredIn === 'code' ? 'Declared in code' : 'Declared in the dashboard'}
      className="shrink-0 text-sm text-muted"
    >
      {declaredIn}
    </span>
  )
}

function toDefault(field: Fields[number][1]): string {
  if (field.tier === 'secret') return '••••••••'
  return typeof field.default === 'boolean'
    ? toValueText(field.default)
    : JSON.stringify(field.default)
}
