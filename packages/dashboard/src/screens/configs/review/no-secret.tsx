import { useState } from 'react'
import type { ApiProblem, FieldError } from '../../../api/problem.ts'
import { Checkbox } from '../../../components/field.tsx'

/** Returns whether a refusal says that an open value has the form of a credential. */
export function isSuspect({ code }: Pick<FieldError, 'code'>): boolean {
  return code === 'looks_like_secret'
}

interface NoSecretProps {
  /** Names the key, where the form is about several. */
  readonly name?: string
  readonly checked: boolean
  readonly onChange: (isPlain: boolean) => void
}

/** Lets a person say that an open value is no secret, although it has the form of one. */
export function NoSecret({ name = 'It', checked, onChange }: NoSecretProps) {
  return (
    <Checkbox
      label={`${name} is no secret`}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}

interface Suspects {
  /** Holds the request. Another object begins anew. */
  readonly request: object
  /** Maps each key that was refused to the reason. */
  readonly details: ReadonlyMap<string, string>
  /** Lists those of them that a person takes for no secrets. */
  readonly plain: readonly string[]
}

/** Keeps the keys that a person takes for no secrets, while the request is the same. */
export function usePlainKeys(request: object) {
  const [stored, setSuspects] = useState<Suspects>()
  const suspects =
    stored?.request === request ? stored : { request, details: noDetails, plain: noPlain }
  return {
    suspects,
    onPlain: (plain: readonly string[]) => setSuspects({ ...suspects, plain }),
    /** Adds what an answer refuses. What it refused before stays, so that a person can take the consent back. */
    follow: (problem: ApiProblem | undefined) => {
      const fresh = (problem?.errors ?? []).flatMap((error) =>
        isSuspect(error) && error.key !== undefined && !suspects.details.has(error.key)
          ? [[error.key, error.detail] as const]
          : [],
      )
      if (fresh.length > 0)
        setSuspects({ ...suspects, details: new Map([...suspects.details, ...fresh]) })
    },
  }
}

const noDetails: ReadonlyMap<string, string> = new Map()
const noPlain: readonly string[] = []

interface SuspectListProps {
  readonly suspects: Suspects
  readonly onPlain: (plain: readonly string[]) => void
}

/** Names the keys that look like secrets, and lets a person say of each that it is none. */
export function SuspectList({ suspects: { details, plain }, onPlain }: SuspectListProps) {
  if (details.size === 0) return null
  return (
    <ul
      aria-label="Looks like a secret"
      className="divide-y divide-line rounded-lg border border-line"
    >
      {[...details].map(([key, detail]) => (
        <li key={key} className="flex flex-col gap-1 px-3 py-2">
          <span className="font-mono break-all">{key}</span>
          {!plain.includes(key) && (
            <p role="alert" className="text-sm text-bad">
              {detail}
            </p>
          )}
          <NoSecret
            name={key}
            checked={plain.includes(key)}
            onChange={(isPlain) =>
              onPlain(isPlain ? [...plain, key] : plain.filter((one) => one !== key))
            }
          />
        </li>
      ))}
    </ul>
  )
}
