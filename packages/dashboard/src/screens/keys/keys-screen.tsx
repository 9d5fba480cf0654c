import { useNavigate, useSearch } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useList } from '../../api/use-api.ts'
import { Button } from '../../parts/button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { DocsLink } from '../../parts/docs-link.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useOrganization } from '../../shell/organization.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyRow } from './key-row.tsx'

/** What applications and pipelines use to get in. */
export function KeysScreen() {
  const { params, can } = useOrganization()
  const keys = useList('GET /organizations/{org_id}/api-keys', { params })
  const { new: isAsked = false, key: named } = useSearch({ from: '/$org/keys' })
  const isCreating = isAsked && can('admin')
  const navigate = useNavigate({ from: '/$org/keys' })
  const setCreating = (isOpen: boolean) =>
    void navigate({ search: isOpen ? { new: true } : {}, replace: true })
  const create = can('admin') && (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      New key
    </Button>
  )
  return (
    <Page title="API keys" actions={create}>
      <p className="max-w-3xl text-muted">
        A <strong className="font-semibold text-text">browser key</strong> may stand in a web page:
        it reads public values and flags and nothing else. A{' '}
        <strong className="font-semibold text-text">server key</strong> reads and writes everything
        it reaches, secrets included.
      </p>
      <Panel title="Keys" flush>
        <Loaded query={keys}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={KeyRound} title="No key yet" action={create}>
                Applications need one to read their configuration.
                <p className="mt-2">
                  <DocsLink page="configuration#who-may-what">Which key may what</DocsLink>
                </p>
              </EmptyState>
            ) : (
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Kind</th>
                    <th scope="col">Reaches</th>
                    <th scope="col">Last used</th>
                    <th scope="col">State</th>
                    <th scope="col">
                      <span className="sr-only">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((key) => (
                    <KeyRow key={key.id} apiKey={key} isNamed={key.id === named} />
                  ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
        <MoreButton list={keys} />
      </Panel>
      {isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}
