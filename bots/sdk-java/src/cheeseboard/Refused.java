package cheeseboard;

import java.util.Map;

/** The server answered a request with an error. */
public final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Map<String, Object> error;

    Refused(Map<String, Object> error) {
        super(error.get("code") + ": " + error.get("message") + (error.containsKey("field") ? " (field " + error.get("field") + ")" : ""));
        this.error = error;
    }

    Refused(String code, String message) {
        this(Map.of("code", code, "message", message));
    }

    /** The stable code of the error. */
    public String code() {
        return (String) error.get("code");
    }

    /** The whole error message. */
    public Map<String, Object> error() {
        return error;
    }

    long pauseMs() {
        return error.get("retry_after_ms") instanceof Long pause ? pause : 500;
    }
}
