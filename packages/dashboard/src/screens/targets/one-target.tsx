import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Facts } from '../../components/facts.tsx'
import { OutsideLink } from '../../components/outside-link.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { RowMenu } from '../../components/row-menu.tsx'
import { FormProblem, Loaded, Skeleton } from '../../components/states.tsx'
import { Age } from '../../components/time.tsx'
import { useOrganization } from '../../session/organization.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { RadioGroup } from '../../components/radio-group.tsx'
import { MadeBy } from '../made-by.tsx'
import { ChangeTargetDialog } from './change-target-dialog.tsx'
import { NamesPanel } from './names-panel.tsx'
import { PlanPanel } from './plan-panel.tsx'
import type { TargetsSearch } from './search.ts'
import { describeSelection, describeState, type Target } from './target.ts'

/** Shows one target: what it writes where, its health, the plan of the next run, and the names that it wrote. */
export function OneTarget({ targetId }: { readonly targetId: string }) {
  const { can } = useOrganization()
  const query = useRead('GET /organizations/{org_id}/targets/{target_id}', {
    params: { target_id: targetId },
  })
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton lines={10} />}
      around={(instead) => <Page title="Targets">{instead}</Page>}
    >
      {(target) => (
        <Page
          title={target.name}
          beside={<StateBadge target={target} />}
          actions={<TargetActions target={target} />}
        >
          <Health target={target} />
          <Panel title="What it writes">
            <TargetFacts target={target} />
          </Panel>
          {can('admin') && target.state !== 'deleting' ? (
            <PlanPanel target={target} />
          ) : (
            target.state !== 'deleting' && (
              <p className="text-muted">
                Admins of this organization plan, run and change targets.
              </p>
            )
          )}
          <NamesPanel target={target} />
          <TargetDialog target={target} />
        </Page>
      )}
    </Loaded>
  )
}

interface TargetProps {
  readonly target: Target
}

function StateBadge({ target }: TargetProps) {
  const { text, tone } = describeState(target)
  return <Badge tone={tone}>{text}</Badge>
}

/** Leads to the other targets, and offers what an admin may do. */
function TargetActions({ target }: TargetProps) {
  const { slug, can } = useOrganization()
  const navigate = useNavigate({ from: '/$org/targets' })
  const pause = useWrite('POST /organizations/{org_id}/targets/{target_id}/pause')
  const resume = useWrite('POST /organizations/{org_id}/targets/{target_id}/resume')
  const { id, name, state } = target
  const request = { params: { target_id: id } }
  const open = (panel: NonNullable<TargetsSearch['panel']>) =>
    void navigate({ search: { target: id, panel }, replace: true })
  const change = state === 'paused' ? resume : pause
  return (
    <>
      <Link to="/$org/targets" params={{ org: slug }} className={buttonClass('quiet')}>
        All targets
      </Link>
      {can('admin') && (state === 'active' || state === 'paused') && (
        <Button pending={change.isPending} onClick={() => change.mutate(request)}>
          {state === 'paused' ? 'Resume' : 'Pause'}
        </Button>
      )}
      {can('admin') && state !== 'deleting' && (
        <RowMenu
          label={`Actions for ${name}`}
          items={[
            { label: 'Change', onSelect: () => open('change') },
            { label: 'Delete', danger: true, onSelect: () => open('delete') },
          ]}
        />
      )}
      <FormProblem problem={change.error} />
    </>
  )
}

function TargetDialog({ target }: TargetProps) {
  const { can } = useOrganization()
  const { panel } = useSearch({ from: '/$org/targets' })
  const navigate = useNavigate({ from: '/$org/targets' })
  const close = () => void navigate({ search: { target: target.id }, replace: true })
  if (!can('admin') || target.state === 'deleting') return null
  if (panel === 'change') return <ChangeTargetDialog target={target} onClose={close} />
  if (panel !== 'delete') return null
  return (
    <DeleteTargetDialog
      target={target}
      onDeleted={() => void navigate({ search: {}, replace: true })}
      onClose={close}
    />
  )
}

/** Says what went wrong and what to do, or what is being removed. */
function Health({ target: { health, state, names } }: TargetProps) {
  if (state === 'deleting') {
    return (
      <p role="status" className="rounded-md bg-warn-ground px-3 py-2 text-warn">
        Signalbox removes {names === 1 ? 'the name' : `the ${names} names`} that it wrote, and then
        this target.
      </p>
    )
  }
  if (health.state === 'ok') return null
  return (
    <div className="rounded-md bg-bad-ground px-3 py-2 wrap-anywhere text-bad">
      <p className="font-medium">{health.detail ?? 'The last run failed.'}</p>
      {health.nextStep !== null && <p>{health.nextStep}</p>}
      {health.url !== null && (
        <OutsideLink href={health.url}>Open the page on which to do it</OutsideLink>
      )}
      {health.failingSince !== null && (
        <p className="text-sm">
          Failing since <Age at={health.failingSince} />
        </p>
      )}
    </div>
  )
}

function TargetFacts({ target }: TargetProps) {
  const { slug } = useOrganization()
  const { schema, schemaId, environment, providerName, destinationName, url, prefix } = target
  const { names, writtenVersion, lastRunAt, health, createdBy, createdWith } = target
  return (
    <Facts
      facts={{
        Schema:
          schema === null ? (
            'a deleted schema'
          ) : (
            <Link to="/$org/config" params={{ org: slug }} search={{ schema: schemaId }}>
              {schema}
            </Link>
          ),
        Environment: <bdi>{environment ?? 'a deleted environment'}</bdi>,
        Destination: (
          <OutsideLink href={url}>
            {providerName}: <bdi>{destinationName}</bdi>
          </OutsideLink>
        ),
        Keys: describeSelection(target),
        Prefix: prefix === '' ? undefined : <code>{prefix}</code>,
        Names: names === 0 ? 'None written yet' : `${names} written`,
        Version: writtenVersion === null ? undefined : `${writtenVersion} is written completely`,
        'Last run': lastRunAt === null ? 'Never' : <Age at={lastRunAt} />,
        'Last success': health.lastOkAt === null ? undefined : <Age at={health.lastOkAt} />,
        'Created by':
          createdBy === null ? undefined : <MadeBy by={createdBy} credential={createdWith} />,
      }}
    />
  )
}

interface DeleteTargetDialogProps {
  readonly target: Target
  readonly onDeleted: () => void
  readonly onClose: () => void
}

/** Deletes a target, after a person has said what happens to the names that it wrote. */
function DeleteTargetDialog({ target, onDeleted, onClose }: DeleteTargetDialogProps) {
  const [names, setNames] = useState<'keep' | 'remove'>('keep')
  const remove = useWrite('DELETE /organizations/{org_id}/targets/{target_id}')
  const { id, name, destinationName, names: count } = target
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete target"
      write={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({
          params: { target_id: id },
          query: { names },
          onSuccess: names === 'keep' ? onDeleted : onClose,
        })
      }
    >
      <p className="mb-3 wrap-anywhere">
        Signalbox stops writing to {destinationName}. You can’t undo this.
      </p>
      {count > 0 && (
        <RadioGroup
          legend={count === 1 ? 'The name that it wrote' : `The ${count} names that it wrote`}
          name="names"
          value={names}
          onChange={setNames}
          options={[
            {
              value: 'keep',
              label: 'Keep them there',
              help: 'Their values stay as they are, and no longer follow.',
            },
            {
              value: 'remove',
              label: 'Remove them',
              help: 'What reads them there fails from then on. The target goes when all are removed.',
            },
          ]}
        />
      )}
    </ConfirmDialog>
  )
}
