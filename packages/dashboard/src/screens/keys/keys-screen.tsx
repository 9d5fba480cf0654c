import { useNavigate, useSearch } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useList } from '../../api/use-api.ts'
import { Button } from '../../components/button.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Panel } from '../../components/panel.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { Table } from '../../components/table.tsx'
import { useOrganization } from '../../session/organization.ts'
import { AgentTokensPanel } from './agent-tokens-panel.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyRow } from './key-row.tsx'
import type { KeysSearch } from './search.ts'

/** Shows the API keys, with which applications and pipelines authenticate. */
export function KeysScreen() {
  const { params, can } = useOrganization()
  const keys = useList('GET /organizations/{org_id}/api-keys', { params })
  const { new: isNew = false, key: keyId, panel } = useSearch({ from: '/$org/keys' })
  const isCreating = isNew && can('admin')
  const navigate = useNavigate({ from: '/$org/keys' })
  const open = (next: KeysSearch) => void navigate({ search: next, replace: true })
  const create = can('admin') && (
    <Button variant="primary" icon={Plus} onClick={() => open({ new: true })}>
      New key
    </Button>
  )
  return (
    <Page title="API keys" actions={create}>
      <KindsInWords />
      <Panel title="Keys" flush>
        <Loaded query={keys}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={KeyRound} title="No keys yet" action={create}>
                Applications need one to read their configuration.
                <p className="mt-2">
                  <DocsLink page="configuration#access">What each key may do</DocsLink>
                </p>
              </EmptyState>
            ) : (
              <Table
                columns={[
                  'Name',
                  'Kind',
                  'Access',
                  'Last used',
                  'State',
                  { title: 'Actions', kind: 'actions' },
                ]}
              >
                {items.map((key) => (
                  <KeyRow
                    key={key.id}
                    apiKey={key}
                    isNamed={panel === undefined && key.id === keyId}
                    panel={key.id === keyId && panel !== 'agent' ? panel : undefined}
                    onOpen={open}
                  />
                ))}
              </Table>
            )
          }
        </Loaded>
        <MoreButton list={keys} />
      </Panel>
      <AgentTokensPanel
        isCreating={panel === 'agent'}
        onCreating={(isOpen) => open(isOpen ? { panel: 'agent' } : {})}
      />
      {isCreating && <CreateKeyDialog onClose={() => open({})} />}
    </Page>
  )
}

function KindsInWords() {
  return (
    <p className="max-w-3xl text-muted">
      A <strong className="font-semibold text-text">browser key</strong> is safe in a web page: it
      reads only public values and flags. A{' '}
      <strong className="font-semibold text-text">server key</strong> reads everything in its scope,
      including secrets, and may be allowed to write. A{' '}
      <strong className="font-semibold text-text">relay key</strong> feeds a relay. An{' '}
      <strong className="font-semibold text-text">agent token</strong> is for a coding assistant,
      which acts for you and sees no secret.
    </p>
  )
}
