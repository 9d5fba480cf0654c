import { may } from '@signalbox/contract'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useOrganization } from '../../../session/organization.ts'
import { useMe } from '../../../session/session.ts'
import { showToast } from '../../../components/toasts.tsx'
import { call } from '../../../api/call.ts'
import { refreshAfterWrite } from '../../../api/invalidate.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { showRejection } from '../../../components/show-rejection.ts'
import { createCellStore, type CellStore } from '../cell-store.ts'
import { findRemoteEdits } from '../grid/find-remote-edits.ts'
import {
  annotate,
  createGridModel,
  type CellNotes,
  type GridModel,
  type MenuTarget,
} from '../grid/grid-model.ts'
import { toCellId, type CellRef, type Matrix } from '../matrix.ts'
import { stagedChangesOf, useStaged, type StagedChanges } from '../staged-store.ts'
import { countChanges, describeProblem, idOf, type StagedCell } from '../staged.ts'
import { useCheck, type ChangeSet, type Check } from '../use-check.ts'
import { useReveal, type Revealed } from '../use-reveal.ts'
import { isOnForAnyone, toOffEdit, toOnEdit } from '../notes/kill-edits.ts'
import { putStaged, putStagedEdit } from './stage-values.ts'
import { readProposal } from './read-proposal.ts'
import { useRollouts, useUnproven, useWaiting } from './use-waiting.ts'

/** Holds the state that the grid and its dialogs share. */
export interface Workspace {
  readonly model: GridModel
  readonly staged: readonly StagedCell[]
  readonly check: Check
  /** Holds the row whose menu is open. */
  readonly menu: MenuTarget | undefined
  readonly closeMenu: () => void
  /** Holds the secret that was revealed last, until it is hidden. */
  readonly revealed: Revealed | undefined
}

interface WorkspaceOptions {
  readonly matrix: Matrix
  /** Opens the rules of a flag. */
  readonly onRules: GridModel['openRules']
  /** Opens the review of the staged changes. */
  readonly onReview: () => void
}

/** Creates the state of a grid: the staged changes, the server's check, and changes of others. */
export function useWorkspace(options: WorkspaceOptions): Workspace {
  const { matrix, onRules, onReview } = options
  const { permissions } = useOrganization()
  const personId = useMe().data?.id ?? ''
  const schemaId = matrix.schema.id
  const mayDo = useCallback<GridModel['may']>(
    (verb, environmentId) => may(permissions, verb, { schemaId, environmentId }),
    [permissions, schemaId],
  )
  const changes = stagedChangesOf(personId, schemaId)
  const staged = useStaged(changes)
  const check = useCheck(matrix, staged)
  const [notes] = useState(() => createCellStore<CellNotes>())
  const [menu, setMenu] = useState<MenuTarget>()
  const { reveal, hide, revealed } = useReveal(notes, schemaId)
  const turnKillSwitch = useKillSwitch({ matrix, changes, notes, onReview, onRules })

  const model = useMemo(
    () =>
      createGridModel({
        staged: changes,
        notes,
        may: mayDo,
        turnKillSwitch,
        keepStaged: (edits) => putStaged(changes, edits),
        unset: (cellRef) => putStagedEdit(changes, cellRef, { kind: 'unset' }),
        reveal: (cellRef) => void reveal(cellRef),
        hide,
        openMenu: setMenu,
        openRules: onRules,
      }),
    [changes, hide, mayDo, notes, onRules, reveal, turnKillSwitch],
  )
  useProblems(model, check, staged)
  useProposal({ matrix, changes, mayWrite: mayDo('writeValues'), onReview })
  useFlashes(model, matrix, personId)
  useWaiting(model, schemaId)
  useUnproven(model, schemaId)
  useRollouts(model, schemaId)
  useLeaveGuard(staged)
  useLeaveNote(changes)
  useLostSecrets(changes)
  return { model, staged, check, menu, closeMenu: () => setMenu(undefined), revealed }
}

/** Marks each cell that the server would refuse, until its staged change is replaced. */
function useProblems({ notes }: GridModel, check: Check, staged: readonly StagedCell[]): void {
  const annotated = useRef<ReadonlyMap<string, StagedCell>>(new Map())
  useEffect(() => {
    const changes = new Map(staged.map((change) => [idOf(change), change]))
    const answer = check.staged === staged ? check.answer : undefined
    const problems =
      answer && new Map(answer.problems.map((one) => [idOf(one), describeProblem(one)]))
    for (const [id, change] of annotated.current) {
      const isObsolete = changes.get(id) !== change || problems?.has(id) === false
      if (isObsolete) annotate(notes, id, { problem: undefined })
    }
    for (const [id, problem] of problems ?? []) annotate(notes, id, { problem })
    const refused = [...changes].filter(([id]) => notes.get(id)?.problem !== undefined)
    annotated.current = new Map(refused)
  }, [check, notes, staged])
}

const flashForMs = 4000

/** Highlights for a moment the cells that somebody else has changed. Staged changes stay. */
function useFlashes({ notes }: GridModel, matrix: Matrix, personId: string): void {
  const before = useRef(matrix)
  useEffect(() => {
    const ids = findRemoteEdits(before.current, matrix, personId)
    before.current = matrix
    for (const id of ids) {
      annotate(notes, id, { flashed: true })
      setTimeout(() => annotate(notes, id, { flashed: undefined }), flashForMs)
    }
  }, [matrix, notes, personId])
}

/** Asks before the tab closes while changes are staged. Navigation within the dashboard keeps them. */
function useLeaveGuard(staged: readonly StagedCell[]): void {
  const isStaged = staged.length > 0
  useEffect(() => {
    if (!isStaged) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isStaged])
}

/** Reminds a person who goes to another screen of the unsaved changes. */
function useLeaveNote(changes: StagedChanges): void {
  useEffect(
    () => () => {
      const { length } = changes.all()
      if (length === 0) return
      const they = length === 1 ? 'It stays' : 'They stay'
      showToast({
        text: `${countChanges(length)} not saved. ${they} staged in the configuration.`,
      })
    },
    [changes],
  )
}

function useLostSecrets({ lostSecrets }: StagedChanges): void {
  useEffect(() => {
    if (lostSecrets === 0) return
    const what = lostSecrets === 1 ? 'A staged secret was' : `${lostSecrets} staged secrets were`
    showToast({ text: `${what} lost when the page was reloaded. Enter them again.` })
  }, [lostSecrets])
}

interface ProposalOptions {
  readonly matrix: Matrix
  readonly changes: StagedChanges
  readonly mayWrite: boolean
  /** Opens the review, which takes the proposal out of the address. */
  readonly onReview: () => void
}

/** Stages what the link of an assistant's proposal holds, once, and opens its review. Nothing is saved. */
function useProposal({ matrix, changes, mayWrite, onReview }: ProposalOptions): void {
  const { hash } = useLocation()
  const fragment = hash === '' || hash.startsWith('#') ? hash : `#${hash}`
  const staged = useRef('')
  useEffect(() => {
    const proposed = mayWrite ? readProposal(matrix, fragment) : undefined
    if (proposed === undefined || staged.current === fragment) return
    staged.current = fragment
    if (proposed.length === 0) {
      showToast({ text: 'The proposal no longer changes anything here.' })
      return
    }
    changes.put(proposed)
    onReview()
  }, [changes, fragment, matrix, mayWrite, onReview])
}

/** Lists the rejections of a change that reaches a protected environment. */
const asks: ReadonlySet<string> = new Set(['confirmation_required', 'comment_required'])

interface KillSwitchOptions {
  readonly matrix: Matrix
  readonly changes: StagedChanges
  readonly notes: CellStore<CellNotes>
  readonly onReview: () => void
  readonly onRules: GridModel['openRules']
}

/**
 * Returns what a press on a kill switch does, on every screen alike. Off is off for everyone immediately; where a protected
 * environment requires more than a press, and for on, the change is staged and its review opens.
 */
function useKillSwitch(options: KillSwitchOptions): GridModel['turnKillSwitch'] {
  const { matrix, changes, notes, onReview, onRules } = options
  const { id: orgId } = useOrganization()
  const client = useQueryClient()
  return useCallback(
    (cellRef: CellRef) => {
      const { row, cell, environment } = cellRef
      const id = toCellId(environment.id, row.key)
      const isOn = isOnForAnyone(cell)
      if (!isOn && changes.get(id) !== undefined) {
        onReview()
        return
      }
      const edit = isOn ? toOffEdit(cellRef) : toOnEdit(cellRef)
      if (edit === undefined) {
        onRules(cellRef)
        return
      }
      const openReview = () => {
        putStagedEdit(changes, cellRef, edit)
        onReview()
      }
      const { confirm, comment } = environment.protection
      if (!isOn || confirm || comment) {
        openReview()
        return
      }
      if (notes.get(id)?.isTurning === true) return
      if (changes.get(id) !== undefined) changes.drop([id])
      annotate(notes, id, { isTurning: true })
      const change = { environmentId: environment.id, turn: { [row.key]: 'off' as const } }
      call('POST /organizations/{org_id}/config-changes', {
        params: { org_id: orgId },
        body: { schemaId: matrix.schema.id, changes: [change] },
      })
        .then((saved) => showToast({ text: toText(matrix, row.key, saved), stays: true }))
        .catch((error: unknown) => {
          if (!(error instanceof ApiProblem && asks.has(error.code))) {
            showRejection(`turn off ${row.key}`, error)
            return
          }
          showToast({ text: `An environment that inherits ${row.key} requires a confirmation.` })
          openReview()
        })
        .finally(async () => {
          await refreshAfterWrite(client, 'POST /organizations/{org_id}/config-changes')
          annotate(notes, id, { isTurning: undefined })
        })
    },
    [changes, client, matrix, notes, onReview, onRules, orgId],
  )
}

/** Names every environment in which a flag went off, those that inherit it included. */
function toText(matrix: Matrix, key: string, { environments }: ChangeSet): string {
  const changed = new Set(environments.map(({ environmentId }) => environmentId))
  const names = matrix.environments.filter(({ id }) => changed.has(id)).map(({ name }) => name)
  return `${key} is off for everyone in ${names.join(', ')}. “Turn on…” brings back what it was.`
}
