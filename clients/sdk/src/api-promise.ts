// The promise that a call returns: of the answer's object, and on request of its headers too.

export interface WithResponse<T> {
  data: T;
  /** The HTTP response. Its body has already been read. */
  response: Response;
  /** Request ID. Use it to find the request in the server's log. */
  requestId: string | null;
  /** True if the response was replayed for an idempotency key that had already been used. */
  replayed: boolean;
}

/** A promise of the response object. The request is sent as soon as the promise is created. */
export class ApiPromise<T> extends Promise<T> {
  #answer: Promise<WithResponse<T>> | null = null;

  static of<T>(answer: Promise<WithResponse<T>>): ApiPromise<T> {
    const promise = new ApiPromise<T>((resolve, reject) => {
      answer.then(({ data }) => resolve(data), reject);
    });
    promise.#answer = answer;
    return promise;
  }

  /** Resolves to the object together with the HTTP response, its request ID and whether it was replayed. */
  withResponse(): Promise<WithResponse<T>> {
    // The promise below rejects with the failure; this one is not looked at any more.
    this.catch(() => undefined);
    return this.#answer ?? Promise.reject(new TypeError('Not a promise returned by an SDK call.'));
  }
}
