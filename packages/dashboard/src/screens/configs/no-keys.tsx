import { useState, type ReactNode } from 'react'
import { Braces, Flag, type LucideIcon } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useOrganization } from '../../session/organization.ts'
import { CreateSchemaDialog } from './create-schema-dialog.tsx'

interface NoSchemaProps {
  readonly onCreated?: (schemaId: string) => void
}

/** Replaces a screen without schemas: creates the first one, or says who can. */
export function NoSchema({ onCreated }: NoSchemaProps) {
  const { can } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <EmptyState
        icon={Braces}
        title="No schema yet"
        action={
          can('developer') && (
            <Button variant="primary" onClick={() => setOpen(true)}>
              Create a schema
            </Button>
          )
        }
      >
        A schema holds the keys of one application: settings, secrets and flags, with a value in
        each environment.
        {!can('developer') && ' Developers of this organization can create one.'}
        <p className="mt-2">
          <DocsLink page="getting-started#4-connect-your-project">
            Or declare the keys in your code
          </DocsLink>
        </p>
      </EmptyState>
      {isOpen && (
        <CreateSchemaDialog onCreated={(id) => onCreated?.(id)} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

interface NoKeysProps {
  readonly onAdd: () => void
}

/** Replaces the matrix of a schema without keys. */
export function NoKeys({ onAdd }: NoKeysProps) {
  return (
    <NothingYet
      icon={Braces}
      title="No keys yet"
      label="Add a key"
      page="configuration"
      more="About keys and environments"
      onAdd={onAdd}
    >
      A key is one setting of your application: a public value, a secret or a flag. Add it with its
      value in each environment.
    </NothingYet>
  )
}

/** Replaces the switches of a schema without flags. */
export function NoFlags({ onAdd }: NoKeysProps) {
  return (
    <NothingYet
      icon={Flag}
      title="No flags yet"
      label="Add a flag"
      page="feature-flags"
      more="About flags"
      onAdd={onAdd}
    >
      A flag is a key that is on or off. Switch it here in each environment: applications follow
      within seconds, without a deployment.
    </NothingYet>
  )
}

interface NothingYetProps extends NoKeysProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly label: string
  readonly page: string
  readonly more: string
  readonly children: ReactNode
}

function NothingYet({ icon, title, label, page, more, onAdd, children }: NothingYetProps) {
  const { can } = useOrganization()
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        can('developer') && (
          <Button variant="primary" onClick={onAdd}>
            {label}
          </Button>
        )
      }
    >
      {children}
      <p className="mt-2">
        <DocsLink page={page}>{more}</DocsLink>
      </p>
    </EmptyState>
  )
}
