import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button.tsx'

/** Shows a commit, by its first seven characters. */
export function Sha({ sha }: { readonly sha: string }) {
  return (
    <code title={sha} className="font-mono text-sm">
      {sha.slice(0, 7)}
    </code>
  )
}

/** Renders a sentence of the server, whose names of scopes, settings and triggers stand between backticks, as in Markdown. */
export function Prose({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="font-mono text-sm">
        {part}
      </code>
    ),
  )
}

/** Copies a text. It renders nothing over plain http, where browsers give pages no clipboard. */
export function CopyButton({ text, label = 'Copy' }: Readonly<{ text: string; label?: string }>) {
  const [copied, setCopied] = useState(false)
  if (!isSecureContext) return null
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <>
      <IconButton
        label={label}
        icon={copied ? Check : Copy}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      />
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}

interface CodeBlockProps {
  readonly code: string
  /** Says whether the text may have thousands of lines: it scrolls in its own box then. */
  readonly isLong?: boolean
}

/** Shows a command or a snippet, with a button that copies it. */
export function CodeBlock({ code, isLong = false }: CodeBlockProps) {
  return (
    <div className="flex items-start gap-2 rounded-md bg-raised py-1 pr-1 pl-3">
      <pre
        tabIndex={isLong ? 0 : undefined}
        className={`min-w-0 flex-1 py-1.5 font-mono text-sm whitespace-pre-wrap wrap-anywhere ${isLong ? 'max-h-[32rem] overflow-y-auto' : ''}`}
      >
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  )
}
