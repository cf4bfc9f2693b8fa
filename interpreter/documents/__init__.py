"""Positions and records: conversion of games to plain data and back."""
