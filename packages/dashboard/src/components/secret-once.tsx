import { CopyButton } from './code.tsx'

interface SecretOnceProps {
  readonly title: string
  /** Explains what the secret opens and where it may be kept. */
  readonly help: string
  readonly secret: string
}

/** Shows a key or a link that the server shows only once. */
export function SecretOnce({ title, help, secret }: SecretOnceProps) {
  return (
    <section aria-label={title} className="rounded-md border border-line p-3">
      <p className="font-semibold">{title}</p>
      <p className="mb-2 text-sm text-muted">{help}</p>
      <div className="flex items-center gap-2 rounded bg-raised py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all select-all">{secret}</code>
        <CopyButton text={secret} label={`Copy: ${title}`} />
      </div>
    </section>
  )
}
