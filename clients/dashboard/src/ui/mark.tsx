// The mark of Mailkeel: an envelope as a hull with a keel. docs/site/mark.svg has the same paths.

export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      className="mk-mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M2 5h20c-.3 5.6-3.4 9.5-8 9.5h-4C5.4 14.5 2.3 10.6 2 5Z" />
      <path d="m2.5 5.2 9.5 5 9.5-5" />
      <path d="M14 14.5c-.2 2.5-1 4.5-2.5 6.5H8c1.2-2 1.9-4 2-6.5Z" fill="currentColor" />
    </svg>
  );
}
