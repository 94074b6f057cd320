package dev.millrace.internal.engine.planted;

/// A thread of its own by inheritance, which the engine may not have.
public final class BannedThread extends Thread {}
