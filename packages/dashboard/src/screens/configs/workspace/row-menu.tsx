import { takesRules, wildcardId } from '@signalbox/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { moveFocus } from '../../../components/menu.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { GridColumn, GridModel, MenuTarget } from '../grid/grid-model.ts'
import { isSwitch } from '../grid/use-grid-keyboard.ts'
import { toCellId, type Matrix, type MatrixKey, type CellRef } from '../matrix.ts'
import { useDeprecate } from '../edit-key/use-deprecate.ts'
import { useExpectDifference } from '../edit-key/use-expect-difference.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import type { MatrixSearch } from './search.ts'

interface RowMenuProps {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly columns: readonly GridColumn[]
  readonly model: GridModel
  readonly menu: MenuTarget | undefined
  readonly onSearch: (change: MatrixSearch) => void
  readonly onClose: () => void
}

interface Entry {
  readonly label: string
  readonly onSelect: () => void
}

/** Renders the actions of a row and its cell. One menu serves all rows, because two thousand would be slow. */
export function RowMenu(props: RowMenuProps) {
  const { schema, matrix, columns, model, menu, onSearch, onClose } = props
  const list = useRef<HTMLDivElement>(null)
  const { row, cellRef } = findSubject(matrix, columns, menu)

  useEffect(() => {
    if (menu === undefined) return
    list.current?.showPopover({ source: menu.source })
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [menu])

  const openPanel = (panel: KeyPanel) => () =>
    onSearch({ panel, key: row?.key, from: cellRef?.environment.name })
  const entries = useEntries({ schema, matrix, model, row, cellRef, openPanel, onSearch })
  const choose = ({ onSelect }: Entry) => {
    flushSync(() => list.current?.hidePopover())
    if (menu) model.navigator.current?.goTo(menu.key, menu.column)
    onSelect()
  }
  return (
    <div
      ref={list}
      popover="auto"
      role="menu"
      aria-label={row === undefined ? 'Actions' : `Actions for ${row.key}`}
      tabIndex={-1}
      className="menu max-w-80 min-w-52 rounded-md border border-line bg-panel p-1 shadow-lg"
      onToggle={(event) => {
        if (event.newState === 'closed') onClose()
      }}
      onKeyDown={(event) =>
        moveFocus(event, [
          ...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
        ])
      }
    >
      {entries.map((entry) => (
        <button
          key={entry.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className="menu-item"
          onClick={() => choose(entry)}
        >
          {entry.label}
        </button>
      ))}
    </div>
  )
}

/** Returns the row of the menu, and its cell unless the menu belongs to the key. */
function findSubject(
  matrix: Matrix,
  columns: readonly GridColumn[],
  at: Pick<MenuTarget, 'key' | 'column'> | undefined,
) {
  const row = matrix.keys.find(({ key }) => key === at?.key)
  const column = columns[(at?.column ?? 0) - 1]
  const cell = column && row?.cells[column.at]
  return { row, cellRef: row && cell && column && { row, cell, environment: column.environment } }
}

type KeyPanel = 'copy' | 'about' | 'rules' | 'edit' | 'delete'

interface EntriesOf {
  readonly schema: ConfigSchema
  readonly matrix: Matrix
  readonly model: GridModel
  readonly row: MatrixKey | undefined
  readonly cellRef: CellRef | undefined
  readonly openPanel: (panel: KeyPanel) => () => void
  readonly onSearch: (change: MatrixSearch) => void
}

function useEntries(props: EntriesOf): readonly Entry[] {
  const { schema, matrix, model, row, cellRef, openPanel } = props
  const { slug } = useOrganization()
  const navigate = useNavigate()
  const { deprecate } = useDeprecate(schema)
  const { expectDifference } = useExpectDifference(schema)
  if (row === undefined) return []
  const search = { schema: matrix.schema.id, key: row.key }
  return [
    ...(cellRef ? toCellEntries(model, cellRef) : []),
    ...(takesRules(row)
      ? [
          {
            label:
              row.tier === 'featureFlags' ? 'Rules: who gets it' : 'Rules: who gets which value',
            onSelect: openPanel('rules'),
          },
        ]
      : []),
    { label: 'About this key', onSelect: openPanel('about') },
    {
      label: 'History of this key',
      onSelect: () => void navigate({ to: '/$org/history', params: { org: slug }, search }),
    },
    ...toCopyEntries(props, row),
    ...(model.may('writeSchemas', wildcardId)
      ? toKeyEntries(row, openPanel, { deprecate, expectDifference })
      : []),
  ]
}

/** Lists the way to take a value to other environments: a secret goes there unseen, from where the person may read it. */
function toCopyEntries(
  { matrix, model, cellRef, openPanel, onSearch }: EntriesOf,
  { key, tier }: MatrixKey,
): readonly Entry[] {
  if (!model.may('writeValues')) return []
  if (tier !== 'secret') {
    if (matrix.environments.length < 2) return []
    return [{ label: 'Copy to environments…', onSelect: openPanel('copy') }]
  }
  if (!model.may('readSecrets', cellRef?.environment.id)) return []
  const search = { panel: 'promote', keys: [key], from: cellRef?.environment.name } as const
  return [{ label: 'Promote to an environment…', onSelect: () => onSearch(search) }]
}

interface KeyMarks {
  readonly deprecate: (name: string, deprecated: boolean) => void
  readonly expectDifference: (name: string, expectedToDiffer: boolean) => void
}

/** Lists the ways to change a key itself. */
function toKeyEntries(
  { key, deprecated = false, expectedToDiffer = false }: MatrixKey,
  openPanel: EntriesOf['openPanel'],
  { deprecate, expectDifference }: KeyMarks,
): readonly Entry[] {
  return [
    { label: 'Edit key…', onSelect: openPanel('edit') },
    {
      label: expectedToDiffer ? 'Count as drift' : 'Expected to differ',
      onSelect: () => expectDifference(key, !expectedToDiffer),
    },
    {
      label: deprecated ? 'Remove deprecation' : 'Deprecate key',
      onSelect: () => deprecate(key, !deprecated),
    },
    { label: 'Delete key…', onSelect: openPanel('delete') },
  ]
}

function toCellEntries(model: GridModel, cellRef: CellRef): readonly Entry[] {
  const { row, cell, environment } = cellRef
  const id = toCellId(environment.id, row.key)
  const mayWrite = model.may('writeValues', environment.id)
  const hasSecret =
    row.tier === 'secret' &&
    cell.source !== 'missing' &&
    cell.source !== 'unset' &&
    model.may('readSecrets', environment.id)
  const isShown = model.notes.get(id)?.revealed !== undefined
  return [
    ...(isSwitch(row) || !mayWrite
      ? []
      : [{ label: 'Edit value', onSelect: () => model.editing.set(id, {}) }]),
    ...(hasSecret
      ? [
          {
            label: isShown ? 'Hide the secret' : 'Reveal for 30 seconds',
            onSelect: () => (isShown ? model.hide(id) : model.reveal(cellRef)),
          },
        ]
      : []),
    ...(mayWrite && (cell.source === 'set' || model.staged.get(id) !== undefined)
      ? [{ label: `Unset in ${environment.name}`, onSelect: () => model.unset(cellRef) }]
      : []),
  ]
}
