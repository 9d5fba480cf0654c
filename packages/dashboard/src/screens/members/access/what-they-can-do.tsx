import type { Verb } from '@signalbox/contract'
import { useState } from 'react'
import type { AnswerOf } from '../../../api/routes.ts'
import { useRead } from '../../../api/use-api.ts'
import { Badge } from '../../../components/badge.tsx'
import { SelectField } from '../../../components/field.tsx'
import { Loaded } from '../../../components/states.tsx'
import { Cell, Row, Table } from '../../../components/table.tsx'
import { roleNames } from '../../../session/session.ts'
import type { DescribedGrant } from './describe-grant.ts'
import { GrantSentence, useGrantable } from './grant-sentence.tsx'

type Access = AnswerOf<'GET /organizations/{org_id}/members/{user_id}/access'>
type Source = Access['permissions'][number]['by']

const acts: Readonly<Record<Verb, string>> = {
  readValues: 'Read values and flags',
  readSecrets: 'Read secrets',
  writeValues: 'Write values',
  writeSchemas: 'Change schemas',
  manageEnvironments: 'Change environments',
  deleteConfig: 'Delete configuration',
  manageAccess: 'Manage access',
}

/** Names whose access is asked for: a member or an API key. */
export interface AccessOf {
  readonly userId?: string
  readonly keyId?: string
  readonly name: string
}

/** Reads what a member or an API key may do, in an environment and a schema or everywhere. */
export function useAccess(
  { userId, keyId }: AccessOf,
  query: { readonly environmentId?: string; readonly schemaId?: string } = {},
) {
  const member = useRead('GET /organizations/{org_id}/members/{user_id}/access', {
    params: { user_id: userId ?? '' },
    query,
    enabled: userId !== undefined,
  })
  const key = useRead('GET /organizations/{org_id}/api-keys/{key_id}/access', {
    params: { key_id: keyId ?? '' },
    query,
    enabled: keyId !== undefined,
  })
  return keyId === undefined ? member : key
}

/** Answers for each act whether a member or an API key may do it, with the role or the grant that decides. */
export function WhatTheyCanDo({ subject }: { readonly subject: AccessOf }) {
  const [environmentId, setEnvironment] = useState('')
  const [schemaId, setSchema] = useState('')
  const { environments, schemas } = useGrantable()
  const access = useAccess(subject, {
    ...(environmentId !== '' && { environmentId }),
    ...(schemaId !== '' && { schemaId }),
  })
  return (
    <section aria-label={`What can ${subject.name} do?`} className="flex flex-col gap-3">
      <h3 className="font-semibold">
        What can <bdi>{subject.name}</bdi> do?
      </h3>
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <WhereField
          label="Environment"
          all="Every environment"
          options={environments.data}
          value={environmentId}
          onPick={setEnvironment}
        />
        <WhereField
          label="Schema"
          all="Every schema"
          options={schemas.data}
          value={schemaId}
          onPick={setSchema}
        />
      </div>
      <Loaded query={access}>
        {({ decisions, permissions }) => (
          <Table columns={['Action', 'Allowed', 'Why']}>
            {decisions.map(({ verb, allowed, by }) => (
              <Row key={verb}>
                <Cell>{acts[verb]}</Cell>
                <Cell>
                  <Badge tone={allowed ? 'ok' : 'neutral'}>{allowed ? 'Yes' : 'No'}</Badge>
                </Cell>
                <Cell>
                  <Because by={by} permissions={permissions} subject={toSubject(subject)} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
    </section>
  )
}

interface WhereFieldProps {
  readonly label: string
  readonly all: string
  readonly options: readonly { readonly id: string; readonly name: string }[] | undefined
  readonly value: string
  readonly onPick: (id: string) => void
}

function WhereField({ label, all, options = [], value, onPick }: WhereFieldProps) {
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onPick(target.value)}>
      <option value="">{all}</option>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

interface BecauseProps extends Pick<Access, 'permissions'> {
  readonly by: Source | null
  readonly subject: DescribedGrant['subject']
}

/** Says what decides: the role, a grant, the kind of the key, or nothing. */
function Because({ by, permissions, subject }: BecauseProps) {
  if (by === null) return <span className="text-muted">Nothing allows it there.</span>
  if (by.kind === 'key') return 'The access of the key.'
  const grant = toGrants(permissions, subject).find(({ id }) => id === by.grantId)
  if (grant !== undefined) return <GrantSentence grant={grant} />
  const role = Object.entries(roleNames).find(([known]) => known === by.role)?.[1]
  return `The role ${role ?? ''}.`
}

/** Returns the subject of the grants of a member or an API key. */
export function toSubject({ keyId, name }: AccessOf): DescribedGrant['subject'] {
  return { type: keyId === undefined ? 'member' : 'api_key', name }
}

/** Returns the grants among what allows something, of the person or key or of the groups. */
export function toGrants(
  permissions: Access['permissions'],
  subject: DescribedGrant['subject'],
): readonly (DescribedGrant & { readonly id: string })[] {
  return permissions.flatMap(({ by: { kind, grantId, group, role }, environmentIds, schemaIds }) =>
    kind === 'grant' && grantId !== null && role !== null && role !== 'owner' && role !== 'viewer'
      ? [
          {
            id: grantId,
            subject: group === null ? subject : { type: 'group', name: group.name },
            role,
            environmentIds,
            schemaIds,
          },
        ]
      : [],
  )
}
