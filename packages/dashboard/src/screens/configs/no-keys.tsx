import { useState, type ReactNode } from 'react'
import { Braces, Flag, type LucideIcon } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { DocsLink } from '../../components/docs-link.tsx'
import { EmptyState } from '../../components/states.tsx'
import { everywhere, useOrganization, wholeSchema } from '../../session/organization.ts'
import { ImportLink } from './add-key/import-link.tsx'
import { CreateSchemaDialog } from './create-schema-dialog.tsx'

/** Replaces a screen without schemas: creates the first one, or says who can. */
export function NoSchema({ onCreated }: { readonly onCreated?: (schemaId: string) => void }) {
  const { may } = useOrganization()
  const mayCreate = may('writeSchemas', everywhere)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <EmptyState
        icon={Braces}
        title="No schema yet"
        action={
          mayCreate && (
            <div className="flex flex-wrap justify-center gap-2">
              <Button variant="primary" onClick={() => setOpen(true)}>
                Create a schema
              </Button>
              <ImportLink schemaId={undefined} />
            </div>
          )
        }
      >
        A schema holds the keys of one application: settings, secrets and flags, with a value in
        each environment.
        {!mayCreate && ' Developers of this organization can create one.'}
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
  /** Holds the id of the schema that an import goes to. */
  readonly schemaId: string
  readonly onAdd: () => void
}

/** Replaces the matrix of a schema without keys. */
export function NoKeys(props: NoKeysProps) {
  return (
    <NothingYet
      {...props}
      icon={Braces}
      title="No keys yet"
      label="Add a key"
      page="configuration"
      more="About keys and environments"
    >
      A key is one setting of your application: a public value, a secret or a flag. Add it with its
      value in each environment, or import the keys that you have elsewhere.
    </NothingYet>
  )
}

/** Replaces the switches of a schema without flags. */
export function NoFlags(props: NoKeysProps) {
  return (
    <NothingYet
      {...props}
      icon={Flag}
      title="No flags yet"
      label="Add a flag"
      page="feature-flags"
      more="About flags"
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

function NothingYet(props: NothingYetProps) {
  const { icon, title, label, page, more, schemaId, onAdd, children } = props
  const { may } = useOrganization()
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        may('writeSchemas', wholeSchema(schemaId)) && (
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" onClick={onAdd}>
              {label}
            </Button>
            <ImportLink schemaId={schemaId} />
          </div>
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
