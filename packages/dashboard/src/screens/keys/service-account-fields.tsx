import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { FieldError } from '../../api/problem.ts'
import { Button } from '../../components/button.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { TextArea, TextField } from '../../components/field.tsx'
import { accountError, accountFields, type ServiceAccount } from './service-account-form.ts'

interface ServiceAccountFieldsProps {
  readonly accounts: readonly ServiceAccount[]
  readonly errors: readonly FieldError[] | undefined
  /** Lists the rows whose pasted keys are no JWK set. */
  readonly unreadable: readonly number[]
}

interface AccountRow {
  readonly id: number
  /** Holds what is stored; `undefined` in a new row. */
  readonly account: ServiceAccount | undefined
}

const most = 10
const notKeys = 'This is not a JWK set. Paste all that kubectl prints, from { to }.'

/** Renders the Kubernetes service accounts whose tokens are exchanged for the key's. */
export function ServiceAccountFields({ accounts, errors, unreadable }: ServiceAccountFieldsProps) {
  const [rows, setRows] = useState<readonly AccountRow[]>(() =>
    accounts.map((account, id) => ({ id, account })),
  )
  const add = () => {
    const id = Math.max(-1, ...rows.map((row) => row.id)) + 1
    setRows([...rows, { id, account: undefined }])
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="font-medium">Kubernetes service accounts</legend>
      <p className="text-sm text-muted">
        A pod exchanges the token of its service account for a token of this key, so the cluster
        stores no key. <DocsLink page="kubernetes#without-a-stored-key">How to set it up</DocsLink>
      </p>
      {rows.map(({ id, account }, index) => (
        <AccountFields
          key={id}
          account={account}
          errorOf={(field) => accountError(errors, index, field)}
          isUnreadable={unreadable.includes(index)}
          onRemove={() => setRows(rows.filter((row) => row.id !== id))}
        />
      ))}
      {rows.length < most && (
        <div>
          <Button type="button" icon={Plus} onClick={add}>
            Add a service account
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface AccountFieldsProps {
  readonly account: ServiceAccount | undefined
  readonly errorOf: (field: keyof typeof accountFields) => string | undefined
  readonly isUnreadable: boolean
  readonly onRemove: () => void
}

function AccountFields({ account, errorOf, isUnreadable, onRemove }: AccountFieldsProps) {
  return (
    <div className="flex flex-col gap-2 rounded-md border border-edge p-3">
      <TextField
        label="Issuer"
        name={accountFields.issuer}
        defaultValue={account?.issuer}
        placeholder="https://oidc.example.com/clusters/1"
        error={errorOf('issuer')}
      />
      <TextField
        label="Namespace"
        name={accountFields.namespace}
        defaultValue={account?.namespace}
        error={errorOf('namespace')}
      />
      <TextField
        label="Service account"
        name={accountFields.name}
        defaultValue={account?.name}
        error={errorOf('name')}
      />
      <TextArea
        label="Public keys of the cluster"
        name={accountFields.keys}
        isCode
        rows={2}
        defaultValue={account?.keys ? JSON.stringify(account.keys) : ''}
        help="Leave it empty if Signalbox can reach the issuer. Otherwise paste what kubectl get --raw /openid/v1/jwks prints."
        error={isUnreadable ? notKeys : errorOf('keys')}
      />
      <div>
        <Button type="button" variant="quiet" onClick={onRemove}>
          Remove this account
        </Button>
      </div>
    </div>
  )
}
